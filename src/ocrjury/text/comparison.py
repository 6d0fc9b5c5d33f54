"""Pairs of texts and the counts that metrics need, each computed once and only on request."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from ocrjury.arrays import Floats, Integers
from ocrjury.text.bleu import sentence_bleu
from ocrjury.text.char_f1 import common_characters
from ocrjury.text.edit_counts import EditCounts, are_too_long, count_edits, distances, lengths
from ocrjury.text.edit_limits import is_too_long
from ocrjury.text.graphemes import fold_graphemes
from ocrjury.text.ngrams import clipped_matches
from ocrjury.text.normalization import normalize_texts, space_text
from ocrjury.text.options import TextOptions, Whitespace, Words
from ocrjury.text.words import split_words


class TextComparison:
    """n pairs of texts under one set of options.

    Parameters
    ----------
    references, hypotheses
        n texts each; none is missing.
    """

    def __init__(
        self, references: Sequence[str], hypotheses: Sequence[str], options: TextOptions
    ) -> None:
        self.options = options
        self.normalized = tuple(
            normalize_texts(texts, options) for texts in (references, hypotheses)
        )
        self._words: dict[Words, tuple[list[list[str]], ...]] = {}

    def words(self, words: Words) -> tuple[list[list[str]], ...]:
        """Words of both sides under a definition of words."""
        if words not in self._words:
            self._words[words] = tuple(
                [split_words(text, words) for text in side] for side in self.normalized
            )
        return self._words[words]

    def characters(self, whitespace: Whitespace) -> tuple[list[str], ...]:
        """Both sides, one code point per character."""
        if whitespace in ("collapse", "remove"):
            glue = " " if whitespace == "collapse" else ""
            sides = tuple(list(map(glue.join, side)) for side in self.words("whitespace"))
        else:
            sides = tuple([space_text(text, whitespace) for text in s] for s in self.normalized)
        return fold_graphemes(*sides) if self.options.unit == "grapheme" else sides

    @cached_property
    def texts(self) -> tuple[list[str], ...]:
        """Both sides in the characters that are counted."""
        return self.characters(self.options.whitespace)

    @cached_property
    def edits(self) -> EditCounts:
        """Character edits."""
        return count_edits(*self.texts)

    @cached_property
    def any_too_long(self) -> bool:
        """Whether a pair is too long for an exact comparison, in characters as they are counted."""
        raw = zip(*self.normalized, strict=True)
        if not any(is_too_long(len(reference), len(hypothesis)) for reference, hypothesis in raw):
            return False  # for characters are not more than code points
        return bool(np.any(are_too_long(*map(lengths, self.texts))))

    @cached_property
    def nospace(self) -> tuple[Integers, Integers, Integers]:
        """Edit distance and both lengths without any white space."""
        if self.options.whitespace == "remove":
            return self.edits.distance, self.edits.n_ref, self.edits.n_hyp
        references, hypotheses = self.characters("remove")
        # Few edits concern white space, so the distance with it is a good hint.
        edits = distances(references, hypotheses, hints=self.edits.distance)
        return edits, lengths(references), lengths(hypotheses)

    @cached_property
    def word_edits(self) -> Integers:
        """Word edits."""
        return distances(*self.words(self.options.words))

    @cached_property
    def word_counts(self) -> EditCounts:
        """Word edits by kind; the distance alone is faster."""
        return count_edits(*self.words(self.options.words))

    @cached_property
    def n_words(self) -> tuple[Integers, ...]:
        """Number of words on each side."""
        return tuple(lengths(side) for side in self.words(self.options.words))

    @cached_property
    def bag_edits(self) -> Integers:
        """Word edits that remain when word order is ignored."""
        common = clipped_matches(*self.words(self.options.words), order=1)[:, 0]
        return np.maximum(*self.n_words) - common

    @cached_property
    def annex_29(self) -> tuple[Integers, Integers, Integers]:
        """Word edits and numbers of words by Unicode Annex 29."""
        references, hypotheses = self.words("uax29")
        edits = distances(references, hypotheses)
        return edits, lengths(references), lengths(hypotheses)

    @cached_property
    def common(self) -> Integers:
        """Number of characters that the two texts have in common."""
        return common_characters(*self.texts)

    @cached_property
    def bleu(self) -> Floats:
        """BLEU of each pair."""
        return sentence_bleu(*self.words(self.options.bleu_words), options=self.options)
