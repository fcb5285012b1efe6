"""One plain sentence for every fact."""

from __future__ import annotations

from events.titles.colonial_revised.tell import deals, lands, sequence, war

TELL = {**sequence.TELL, **lands.TELL, **deals.TELL, **war.TELL}
