"""The fake embedder keeps the promises of the port."""

import numpy as np

from rankle.models.fake import FakeEmbedder


def test_vectors_are_unit_vectors_and_do_not_depend_on_neighbours() -> None:
    embedder = FakeEmbedder(16)
    texts = ["reset the pump", "parental leave", "", "泵"]

    together = embedder.embed_passages(texts)

    assert together.shape == (4, 16)
    assert together.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, rtol=1e-6)
    np.testing.assert_array_equal(together[2:], embedder.embed_passages(texts[2:]))


def test_shared_words_bring_texts_nearer() -> None:
    query, near, far = FakeEmbedder().embed_queries(["reset pump", "how to reset the pump", "parental leave"])

    assert query @ near > query @ far


def test_no_text_gives_no_vector() -> None:
    assert FakeEmbedder(8).embed_queries([]).shape == (0, 8)
