-- What was found by reading a whole table: lists of games and tournaments, an account's handles, who is away.

-- Of a game with a delay the row may tell more than whoever asks may know yet, so it stands in both lists that can have
-- it; there are few of them.
DROP INDEX lobby_status;
CREATE INDEX lobby_open ON lobby (game_id) WHERE status = 'open' OR delay IS NOT NULL;
CREATE INDEX lobby_running ON lobby (game_id) WHERE status = 'running' OR delay IS NOT NULL;
CREATE INDEX lobby_ended ON lobby (game_id) WHERE status IN ('finished', 'abandoned');
CREATE INDEX lobby_abandoned ON lobby (game_id) WHERE status = 'abandoned';
CREATE INDEX lobby_title ON lobby (title, game_id);

CREATE INDEX tournament_status ON tournament (status, tournament);
CREATE INDEX tournament_title ON tournament (title, tournament);

CREATE INDEX handle_of ON handle (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX vacation_ends ON vacation (ends) WHERE ends IS NOT NULL;
