"""All that is asked of a title, in one module, for the tests of a title of others.

    from rutter.tests.titles.battery import *

``RUTTER_TEST_TITLES=id[,id]`` says which titles are tried; `rutter title new` writes both down.
"""

from tests.titles.test_battery import *  # noqa: F403 - each of them holds tests of every title
from tests.titles.test_clauses import *  # noqa: F403
from tests.titles.test_golden import *  # noqa: F403
from tests.titles.test_options import *  # noqa: F403
from tests.titles.test_pointing import *  # noqa: F403
from tests.titles.test_recorded import *  # noqa: F403
from tests.titles.test_standing import *  # noqa: F403
from tests.vectors.test_vectors import *  # noqa: F403
