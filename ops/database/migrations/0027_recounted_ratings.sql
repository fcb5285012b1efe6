-- The position in the log of the ruling that took a game out: since then the ratings of its pool are others.
ALTER TABLE rating_void ADD COLUMN position bigint NOT NULL DEFAULT 0;
-- Where a game was taken out before, all is counted again, so that its ruling is found.
UPDATE rating_state SET model = '' WHERE EXISTS (SELECT FROM rating_void);
