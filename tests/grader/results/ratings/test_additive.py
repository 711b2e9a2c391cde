"""The additive model, beside dense linear algebra and a general optimiser."""

from types import ModuleType

import numpy as np
import pytest

from grader.results.ratings.additive import AdditiveFit, Floats, Sample, fit_additive

AGENTS, SIZE, ROUNDS, TABLES = 12, 3, 10, 4


def sample(seed: int = 1, *, agent_sd: float = 1.5, block_sd: float = 0.8) -> Sample:
    luck = np.random.default_rng(seed)
    shares = np.zeros((ROUNDS * TABLES, AGENTS))
    for number in range(ROUNDS):
        for at, members in enumerate(luck.permutation(AGENTS).reshape(TABLES, SIZE)):
            shares[number * TABLES + at, members] = 1
    blocks = np.repeat(np.arange(ROUNDS), TABLES)
    values = (
        10
        + shares @ luck.normal(0, agent_sd, AGENTS)
        + luck.normal(0, block_sd, ROUNDS)[blocks]
        + luck.normal(0, 1, len(blocks))
    )
    return Sample(
        values=values,
        shares=shares,
        intercepts=np.ones((len(values), 1)),
        blocks=blocks,
        clusters=np.arange(len(values)),
    )


def penalised_loss(of: Sample, agents: float, blocks: float) -> float:
    """-2 log of the restricted likelihood from its definition, with the penalty."""
    same = (of.blocks[:, None] == of.blocks[None, :]).astype(float)
    covariance = np.eye(len(of.values)) + agents * of.shares @ of.shares.T + blocks * same
    inverse = np.linalg.inv(covariance)
    information = of.intercepts.T @ inverse @ of.intercepts
    fitted = np.linalg.solve(information, of.intercepts.T @ inverse @ of.values)
    rest = of.values - of.intercepts @ fitted
    degrees = len(of.values) - of.intercepts.shape[1]
    return float(
        np.linalg.slogdet(covariance)[1]
        + np.linalg.slogdet(information)[1]
        + degrees * np.log(rest @ inverse @ rest)
        - np.log(agents)
    )


def ratios(fit: AdditiveFit) -> tuple[float, float]:
    return (fit.agent_sd / fit.error_sd) ** 2, (fit.block_sd / fit.error_sd) ** 2


@pytest.mark.parametrize("seed", range(4))
def test_ratios_of_variances_are_the_best_that_an_optimiser_finds(
    scipy: ModuleType, seed: int
) -> None:
    of = sample(seed)
    best = scipy.optimize.minimize(
        lambda logs: penalised_loss(of, *np.exp(logs)), [0.0, 0.0], method="Nelder-Mead"
    )
    assert penalised_loss(of, *ratios(fit_additive(of))) <= best.fun + 0.06


def test_estimates_solve_hendersons_equations() -> None:
    of = sample()
    fit = fit_additive(of)
    agents, blocks = ratios(fit)
    same = (of.blocks[:, None] == of.blocks[None, :]).astype(float)
    inverse = np.linalg.inv(np.eye(len(of.values)) + blocks * same)
    design = np.column_stack([of.intercepts, of.shares])
    penalty = np.diag([0.0, *[1 / agents] * AGENTS])
    expected = np.linalg.solve(
        design.T @ inverse @ design + penalty, design.T @ inverse @ of.values
    )
    assert fit.coefficients == pytest.approx(expected)


def test_much_data_leaves_nothing_of_the_shrinkage() -> None:
    luck = np.random.default_rng(3)
    shares = (luck.random((4000, 8)) < 0.4).astype(float)
    truth = luck.normal(0, 3, 8)
    values = 5 + shares @ truth + luck.normal(0, 0.1, 4000)
    of = Sample(
        values=values,
        shares=shares,
        intercepts=np.ones((4000, 1)),
        blocks=np.arange(4000),
        clusters=np.arange(4000),
    )
    plain = np.linalg.lstsq(np.column_stack([of.intercepts, shares]), values)[0]
    assert fit_additive(of).coefficients == pytest.approx(plain, abs=1e-3)


def test_an_agent_without_games_is_average_and_uncertain() -> None:
    of = sample()
    wider = Sample(
        values=of.values,
        shares=np.column_stack([of.shares, np.zeros(len(of.values))]),
        intercepts=of.intercepts,
        blocks=of.blocks,
        clusters=of.clusters,
    )
    fit = fit_additive(wider)
    stranger = np.zeros((1, AGENTS + 2))
    stranger[0, -1] = 1
    found = fit.estimate(stranger)
    assert found.values[0] == pytest.approx(0)
    assert found.errors[0] == pytest.approx(fit.agent_sd)


def test_equal_scores_leave_no_differences() -> None:
    of = sample()
    flat = Sample(
        values=np.full(len(of.values), 7.0),
        shares=of.shares,
        intercepts=of.intercepts,
        blocks=of.blocks,
        clusters=of.clusters,
    )
    fit = fit_additive(flat)
    everyone = np.column_stack([np.ones(AGENTS), np.eye(AGENTS)])
    assert fit.estimate(everyone).values == pytest.approx([7.0] * AGENTS)
    assert isinstance(fit.error_sd, float)  # rounding must not make it a root of less than nothing


def test_too_few_rows_are_refused() -> None:
    of = sample()
    with pytest.raises(ValueError, match="too few"):
        fit_additive(
            Sample(
                values=of.values[:1],
                shares=of.shares[:1],
                intercepts=of.intercepts[:1],
                blocks=of.blocks[:1],
                clusters=of.clusters[:1],
            )
        )


@pytest.mark.slow
@pytest.mark.parametrize("clustered", [False, True])
def test_standard_errors_are_those_of_repetition(*, clustered: bool) -> None:
    """Agents, rounds and noise drawn again and again: errors are as large as they say."""
    misses: list[Floats] = []
    said: list[Floats] = []
    for seed in range(150):
        luck = np.random.default_rng(seed)
        of = sample(5, agent_sd=0, block_sd=0)
        truth = luck.normal(0, 1.5, AGENTS)
        values = 10 + of.shares @ truth + luck.normal(0, 1, len(of.values))
        drawn = Sample(
            values=values,
            shares=of.shares,
            intercepts=of.intercepts,
            blocks=np.arange(len(values)),
            clusters=np.arange(len(values)) // 2 if clustered else np.arange(len(values)),
        )
        contrasts = np.column_stack([np.zeros(AGENTS), np.eye(AGENTS) - 1 / AGENTS])
        found = fit_additive(drawn).estimate(contrasts)
        misses.append(found.values - (truth - truth.mean()))
        said.append(found.errors)
    real = np.sqrt(np.mean(np.square(misses)))
    claimed = np.sqrt(np.mean(np.square(said)))
    assert claimed == pytest.approx(real, rel=0.08)
