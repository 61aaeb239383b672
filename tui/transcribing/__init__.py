"""From sound to cues: pieces of a recording, what a model has heard in each, and the cues that this becomes.

Only ``service`` knows this room. PyAV, onnxruntime and faster-whisper are imported where they are used, in a process
of its own (``service/media/media_process.py``).
"""
