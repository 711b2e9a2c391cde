"""Fingerprints: which passages two texts must share, and that hashes never change."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from webapp.grading.similarity.prints import K, W, gram_hashes, winnowed

words = st.lists(st.sampled_from("abcdefgh"), max_size=60)


def prints(tokens: list[str]) -> set[int]:
    hashes = gram_hashes(tokens)
    return {hashes[at] for at in winnowed(hashes)}


def test_a_hash_is_the_same_in_every_process_and_version() -> None:
    assert gram_hashes([f"token{number}" for number in range(K)]) == [1612296352383000564]


def test_the_papers_example_keeps_the_papers_fingerprints() -> None:
    hashes = [77, 74, 42, 17, 98, 50, 17, 98, 8, 88, 67, 39, 77, 74, 42, 17, 98]
    assert [hashes[at] for at in winnowed(hashes, window=4)] == [17, 17, 8, 39, 17]


@given(
    before=words,
    shared=st.lists(st.sampled_from("abcdefgh"), min_size=K + W - 1, max_size=60),
    after=words,
)
def test_texts_that_share_a_long_passage_share_a_fingerprint(
    before: list[str], shared: list[str], after: list[str]
) -> None:
    assert prints([*before, *shared]) & prints([*shared, *after])


@given(tokens=words)
def test_every_window_has_a_kept_hash(tokens: list[str]) -> None:
    hashes = gram_hashes(tokens)
    kept = winnowed(hashes)
    assert kept == sorted(set(kept))
    ends = [-1, *kept, len(hashes)]
    assert all(later - earlier <= W for earlier, later in pairwise(ends))
    assert bool(kept) == bool(hashes)
