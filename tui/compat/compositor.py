"""Compositor that repaints the places of what went.

Textual 8.2.8 keeps where each widget is, and marks what has changed since for painting when it lays all out anew. After
something was scrolled it also lays out where a widget out of sight is asked for, and marks nothing then: what had gone
in between, a toast for instance, is left standing on the screen.
"""

from textual._compositor import Compositor, CompositorMap
from textual.geometry import Region
from textual.map_geometry import MapGeometry


class RepaintingCompositor(Compositor):
    """Compositor that marks what has changed whenever it lays out."""

    @property
    def full_map(self) -> CompositorMap:
        drawn = self._full_map if self._visible_map is None else self._visible_map
        laid_out = super().full_map
        if laid_out is not drawn and self.size.region not in self._dirty_regions:
            for widget in drawn.keys() | laid_out.keys():
                old, new = _visible_region(drawn.get(widget)), _visible_region(laid_out.get(widget))
                if old != new:
                    self._dirty_regions.update(filter(None, (old, new)))
        return laid_out


def _visible_region(place: MapGeometry | None) -> Region | None:
    """The part of a widget's region that is not cut off."""
    return place.clip.intersection(place.region) if place is not None else None
