"""Retimings as people read them: "+2.35 s · 25 for 23.976 · sure"."""

from tui.records.retiming import FRAME_RATE_FACTORS, RetimingPlan

_SAME_FACTOR = 1e-6
_SURE, _FAIRLY_SURE = 0.9, 0.75


def describe_retiming(plan: RetimingPlan) -> str:
    """Describe a retiming: the offset at the first cue, the factor where there is one, and how sure it is."""
    facts = [f"{(plan.first_after_ms - plan.first_before_ms) / 1000:+.2f} s"]
    if plan.factor != 1:
        names = (name for name, factor in FRAME_RATE_FACTORS.items() if abs(factor - plan.factor) < _SAME_FACTOR)
        facts.append(next(names, f"{plan.factor:.6g} times as long"))
        facts.append(f"{(plan.last_after_ms - plan.last_before_ms) / 1000:+.2f} s at the end")
    if plan.basis in ("track", "sound"):
        sure = plan.confidence
        facts.append("sure" if sure >= _SURE else "fairly sure" if sure >= _FAIRLY_SURE else "hardly sure")
    if plan.tracks_lost:
        facts.append("its translation is not paired with it any more")
    return " · ".join(facts)
