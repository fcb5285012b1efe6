"""Common parts of both editions of Colonial: the map, piles of counters, Monopolies, the map panel.

No title, and no rule of one edition: where the editions differ, each title has its own step.

* `world`: ``load_world("colonial")`` gives the typed map of an edition: Territories and Resource spaces
  in map order, numbers and ids both ways, borders. The data stand in ``map.toml`` with overrides per
  edition.
* `piles`: a pile is a tuple of seats, bottom counter first: who controls it, who has strictly most, who
  takes over after a loss, moving a seat's counters to the bottom, removing counters. From the controllers
  of all spaces: who monopolises a Resource, the Monopolies of a seat (every Gold space is one by itself),
  whose Monopoly the taking of an empty space breaks.
* `words`: words that both use.
* `world_map`: the map panel and the public board data.
"""
