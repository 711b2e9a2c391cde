"""The additive model: what each agent adds to a score, apart from partners and deals.

A mixed model, fitted by restricted maximum likelihood:

    y = X b + Z u + W d + e,    u ~ N(0, s² g I),  d ~ N(0, s² k I),  e ~ N(0, s² I)

One row is a table (its mean score), ``u`` what agents add, ``d`` the luck of a block: tables that
played the same deals; ``b`` intercepts. Agents are random effects: their estimates (best linear
unbiased predictions, the same as ridge regression with penalty 1/g) are drawn towards the average
the more, the less is known. Deals are random too, so that a block of two tables is not spent on its
own mean. Sources: Henderson 1975 (equations of the mixed model), Patterson and Thompson 1971
(REML), Searle, Casella and McCulloch 1992.

The two ratios g and k are found by profiling. For a given k, errors and blocks together have the
covariance I + k W W', whose inverse is known for each block (I - k/(1 + kT) 11', T rows), so that
cross-products suffice; and for a given k, all g are tried at once by one spectral decomposition of
the cross-product of Z after X (as Kang et al. 2008 do in genetics). With X, W and Z so transformed
(m rows, p intercepts, eigenvalues l and c = Q'Z'y):

    -2 log L = sum log(1 + kT) + log|X'X| + sum log(1 + g l) + (m - p) log(y'y - sum g c²/(1 + g l))

To it -log g is added, the penalty of Chung et al. 2013: an estimate of no difference at all between
agents, which chance can bring about, would make intervals of no width.

The error of an estimate has two parts: what shrinkage takes from u (by the model), and the noise.
For the latter the rows' own residuals, each divided by the root of 1 - leverage, stand in for a
common variance, cluster by cluster (MacKinnon and White 1985, HC2; Bell and McCaffrey 2002), since
some tables are noisier than others: where one agent strikes out in half of its games, for instance.
If all are equally noisy, this is unbiased: residuals of the mixed model have the variance
s² (1 - leverage).
"""

from dataclasses import dataclass
from math import exp
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Whole: TypeAlias = NDArray[np.int64]

_AGENT_RATIOS: Final = np.exp(np.linspace(-10.0, 10.0, 401))
"""Values of g that are tried: neighbours differ by 5%, and no estimate by more than that of an
already small correction."""
_BLOCK_LOGS: Final = tuple(range(-5, 6))
"""Logarithms of the values of k that are tried first, beside k = 0,"""
_HALVINGS: Final = 3
"""and how often their distance is halved around the best."""
_LEAST_FREEDOM: Final = 0.05
"""A row that the fit follows this closely says no more about the noise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Rows of the model."""

    values: Floats
    """(m) The scores."""
    shares: Floats
    """(m, agents) How many seats each agent had."""
    intercepts: Floats
    """(m, p) Usually one column of ones; p may be 0."""
    blocks: Whole
    """(m) Rows with the same number share their luck with the deals; each its own: no such luck."""
    clusters: Whole
    """(m) Rows with the same number may have errors that are alike."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimates:
    """Estimates of linear combinations of intercepts and agents."""

    values: Floats
    errors: Floats
    """Standard errors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdditiveFit:
    """The fitted model. Intercepts come first, then agents, everywhere."""

    coefficients: Floats
    agent_sd: float
    """Standard deviation of what agents add."""
    block_sd: float
    """Standard deviation of a block's luck."""
    error_sd: float
    """Standard deviation of the rest, per row."""
    shrinkage: Floats
    """Covariance of the error that shrinkage makes."""
    noise: Floats
    """Covariance of the error that noise makes."""

    def estimate(self, targets: Floats) -> Estimates:
        """Combinations of the coefficients: one row of ``targets`` each."""
        covariance = self.shrinkage + self.noise
        variances = np.einsum("ij,jk,ik->i", targets, covariance, targets)
        return Estimates(
            values=targets @ self.coefficients, errors=np.sqrt(np.maximum(variances, 0.0))
        )


def fit_additive(sample: Sample) -> AdditiveFit:
    """Fit the model. Raises ValueError if there are no more rows than intercepts."""
    rows, intercepts = sample.intercepts.shape
    if rows <= intercepts:
        raise ValueError(f"{rows} rows are too few for {intercepts} intercepts")
    products = _Products.of(sample)
    best = _Ratios(*products.profile(0.0), 0.0)
    for ratio in _block_ratios(sample):
        best = min(best, _Ratios(*products.profile(ratio), ratio))
    step = 1.0
    for _ in range(_HALVINGS if best.blocks else 0):
        step /= 2
        middle = best.blocks
        for ratio in (middle * exp(-step), middle * exp(step)):
            best = min(best, _Ratios(*products.profile(ratio), ratio))
    return _solve(sample, agent_ratio=best.agents, block_ratio=best.blocks)


class _Ratios(NamedTuple):
    """A profiled choice of both ratios; the least loss sorts first."""

    loss: float
    agents: float
    blocks: float


def _block_ratios(sample: Sample) -> list[float]:
    """Return only 0 if no block has two rows: its luck could not be told from a row's."""
    _, sizes = np.unique(sample.blocks, return_counts=True)
    return [exp(log) for log in _BLOCK_LOGS] if (sizes > 1).any() else []


@dataclass(frozen=True, slots=True)
class _Products:
    """Cross-products of the columns intercepts, agents, values; and their sums over blocks."""

    all: Floats
    sums: Floats
    """(blocks, columns)"""
    sizes: Floats
    """(blocks)"""
    rows: int
    intercepts: int

    @classmethod
    def of(cls, sample: Sample) -> "_Products":
        columns = np.column_stack([sample.intercepts, sample.shares, sample.values])
        names, numbers = np.unique(sample.blocks, return_inverse=True)
        sums = np.zeros((len(names), columns.shape[1]))
        np.add.at(sums, numbers, columns)
        sizes = np.bincount(numbers).astype(np.float64)
        return cls(columns.T @ columns, sums, sizes, len(columns), sample.intercepts.shape[1])

    def profile(self, block_ratio: float) -> tuple[float, float]:
        """The least penalised -2 log L for this k, and the g that gives it."""
        products = self.all - (self.sums.T * _pull(block_ratio, self.sizes)) @ self.sums
        constant = float(np.log1p(block_ratio * self.sizes).sum())
        p = self.intercepts
        if p:
            constant += float(np.linalg.slogdet(products[:p, :p])[1])
            explained = np.linalg.solve(products[:p, :p], products[:p, p:])
            rest = products[p:, p:] - products[p:, :p] @ explained
        else:
            rest = products
        eigenvalues, vectors = np.linalg.eigh(rest[:-1, :-1])
        eigenvalues = np.maximum(eigenvalues, 0.0)
        loads = vectors.T @ rest[:-1, -1]
        grown = 1 + _AGENT_RATIOS[:, None] * eigenvalues
        left = rest[-1, -1] - (_AGENT_RATIOS[:, None] * loads**2 / grown).sum(axis=1)
        left = np.maximum(left, _tiny(rest[-1, -1]))
        losses = np.log(grown).sum(axis=1) + (self.rows - p) * np.log(left)
        losses -= np.log(_AGENT_RATIOS)
        best = int(losses.argmin())
        return constant + float(losses[best]), float(_AGENT_RATIOS[best])


def _tiny(squares: float) -> float:
    """Stand in for 0 where scores leave no residual at all."""
    return max(1e-12 * squares, 1e-30)


def _pull(ratio: float, sizes: Floats) -> Floats:
    """k / (1 + kT) for each block."""
    pull: Floats = ratio / (1 + ratio * sizes)
    return pull


def _whitened(sample: Sample, columns: Floats, ratio: float) -> Floats:
    """Rows whose errors are independent: (I + k 11')^(-1/2) for each block."""
    _, numbers = np.unique(sample.blocks, return_inverse=True)
    sizes = np.bincount(numbers).astype(np.float64)
    sums = np.zeros((len(sizes), columns.shape[1]))
    np.add.at(sums, numbers, columns)
    pull = (1 - 1 / np.sqrt(1 + ratio * sizes)) / sizes
    white: Floats = columns - (pull[:, None] * sums)[numbers]
    return white


def _solve(sample: Sample, *, agent_ratio: float, block_ratio: float) -> AdditiveFit:
    """Henderson's equations, and the errors of their solution."""
    p = sample.intercepts.shape[1]
    columns = np.column_stack([sample.intercepts, sample.shares, sample.values])
    white = _whitened(sample, columns, block_ratio)
    design, values = white[:, :-1], white[:, -1]
    penalty = np.zeros(design.shape[1])
    penalty[p:] = 1 / agent_ratio
    inverse = np.asarray(np.linalg.inv(design.T @ design + np.diag(penalty)), np.float64)
    coefficients = inverse @ (design.T @ values)
    residuals = values - design @ coefficients
    # Without any error, rounding can leave a little less than nothing.
    variance = max(0.0, float(values @ residuals)) / (len(values) - p)
    shrunk = inverse[:, p:] / agent_ratio
    errors = _adjusted(design, inverse, residuals, sample.clusters)
    return AdditiveFit(
        coefficients=coefficients,
        agent_sd=(variance * agent_ratio) ** 0.5,
        block_sd=(variance * block_ratio) ** 0.5,
        error_sd=variance**0.5,
        shrinkage=variance * agent_ratio * (shrunk @ shrunk.T),
        noise=inverse @ _scattered(design, errors, sample.clusters) @ inverse,
    )


def _adjusted(design: Floats, inverse: Floats, residuals: Floats, clusters: Whole) -> Floats:
    """Residuals as large as the errors that they are left of: (1 - leverage)^(-1/2) times."""
    names, numbers, sizes = np.unique(clusters, return_inverse=True, return_counts=True)
    reach = design @ inverse
    if len(names) == len(residuals):
        leverage = np.einsum("ij,ij->i", reach, design)
        alone: Floats = residuals / np.sqrt(np.maximum(1 - leverage, _LEAST_FREEDOM))
        return alone
    result = residuals.copy()
    order = np.argsort(numbers, kind="stable")
    for members in np.split(order, np.cumsum(sizes)[:-1]):
        own = np.eye(len(members)) - reach[members] @ design[members].T
        freedom, vectors = np.linalg.eigh((own + own.T) / 2)
        loads = vectors.T @ residuals[members]
        result[members] = vectors @ (loads / np.sqrt(np.maximum(freedom, _LEAST_FREEDOM)))
    return result


def _scattered(design: Floats, errors: Floats, clusters: Whole) -> Floats:
    """Sum over clusters of the outer products of what their errors add to the equations."""
    names, numbers = np.unique(clusters, return_inverse=True)
    sums = np.zeros((len(names), design.shape[1]))
    np.add.at(sums, numbers, design * errors[:, None])
    scatter: Floats = sums.T @ sums
    return scatter
