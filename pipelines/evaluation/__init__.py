"""How good tracks are, when the truth is known; one family of measures a file.

`matching` finds who could be whom; `clear_mot`, `identity`, `hota` and `particle_challenge` judge identities,
`displacement` and `calibration` judge positions and their stated uncertainties, `things` tells them apart for each
true thing, `complete` does all of it at once.
"""

from pipelines.evaluation.clear_mot import Scores, evaluate

__all__ = ["Scores", "evaluate"]
