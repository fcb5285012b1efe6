-- Ratings of bots: a game between people and bots enters a second pool, in which both are rated. There people have a
-- level of their own, so their ratings in other pools stay as they are.
ALTER TABLE rating_game
  ADD COLUMN bot_pool text,                       -- null: it does not count for bots
  ADD COLUMN entrants json NOT NULL DEFAULT '[]'; -- people and bots: [{"seat", "place", "subject"}]
CREATE INDEX rating_game_bot_pool ON rating_game (bot_pool, position) WHERE bot_pool IS NOT NULL;
ALTER TABLE rating_change DROP CONSTRAINT rating_change_pkey, ADD PRIMARY KEY (position, pool, seat);

-- The versions of bots that are rated, each under a name made of its own.
CREATE TABLE bot_subject (
  subject uuid    PRIMARY KEY,
  bot     text    NOT NULL,
  version integer NOT NULL,
  UNIQUE (bot, version)
);
-- All is counted again, so that earlier games count for bots too.
UPDATE rating_state SET model = '';
