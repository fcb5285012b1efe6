"""The faults of the campaign still fit the program, so that moving a file cannot hollow it out."""

import pytest

from tests.campaigns.mutations import ROOT, mutations


@pytest.mark.parametrize("mutation", mutations(), ids=lambda mutation: mutation.name)
def test_the_fault_can_be_made(mutation):
    assert (ROOT / mutation.file).read_text().count(mutation.old) == 1
    assert mutation.old != mutation.new
    for test in mutation.tests:
        assert (ROOT / test).exists()


def test_there_are_twenty_of_as_many_families():
    assert len({mutation.name.partition(":")[0] for mutation in mutations()}) >= 20
