"""Which way a window's texture goes, beside LAPACK."""

from __future__ import annotations

import numpy as np

from pipelines.trackers.registration.noise.aperture import principal


def test_the_closed_form_is_the_eigen_decomposition():
    rng = np.random.default_rng(0)
    slopes = rng.normal(size=(400, 2, 9)) * np.exp(3 * rng.normal(size=(400, 2, 1)))
    slopes[100:200, 1] = slopes[100:200, 0] * rng.normal(size=(100, 1))  # stripes
    slopes[200:210, 0], slopes[210:220, 1], slopes[220:230] = 0, 0, 0
    matrices = np.einsum("npi,nqi->npq", slopes, slopes)
    small, large, across = principal(matrices[:, 0, 0], matrices[:, 0, 1], matrices[:, 1, 1])
    values, vectors = np.linalg.eigh(matrices)
    np.testing.assert_allclose(large, values[:, 1], rtol=1e-12)
    assert (np.abs(small - values[:, 0]) <= 1e-12 * values[:, 1]).all()
    known = values[:, 1] > 1.001 * values[:, 0]
    alike = np.abs(np.einsum("ni,ni->n", across, vectors[:, :, 1]))
    np.testing.assert_allclose(alike[known], 1.0, atol=1e-9)
    np.testing.assert_allclose(np.hypot(*across.T), 1.0, rtol=1e-12)
