-- Who is invited, and clubs. Ordinary rows, all erasable: no event tells of them.

-- For whom a seat is kept that the log has as open. Written before the log, as claims to seats are: the row holds whose
-- claim is the command id of the game's first event.
CREATE TABLE seat_reservation (
  game_id    uuid     NOT NULL,
  claim      uuid     NOT NULL,
  seat       smallint NOT NULL CHECK (seat >= 0),
  account_id uuid,                                -- null: for whoever has an invitation
  PRIMARY KEY (game_id, claim, seat)
);
CREATE INDEX seat_reservation_account ON seat_reservation (account_id, game_id);

-- Secrets that let their bearer in: to a game or a club, whose id comes first in every key.
CREATE TABLE invitation (
  subject    uuid        NOT NULL,
  id         uuid        NOT NULL,
  hash       bytea       NOT NULL CHECK (octet_length(hash) = 32),   -- SHA-256; the secret is shown once and not kept
  seat       smallint    CHECK (seat >= 0),       -- the only one that it is for
  uses       smallint    NOT NULL CHECK (uses BETWEEN 1 AND 100),
  account_id uuid        NOT NULL,                -- who made it
  made_at    timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (subject, id),
  UNIQUE (subject, hash)
);
CREATE INDEX invitation_account ON invitation (account_id);

-- A use counts while the request that makes it may be under way, and for good once an event of the game has the claim
-- as the id of its command; one of a club counts at once.
CREATE TABLE invitation_use (
  subject    uuid        NOT NULL,
  invitation uuid        NOT NULL,
  claim      uuid        NOT NULL,
  settled    boolean     NOT NULL,
  used_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (subject, invitation, claim),
  FOREIGN KEY (subject, invitation) REFERENCES invitation ON DELETE CASCADE
);

CREATE TABLE club (
  id      uuid PRIMARY KEY,
  name    text        NOT NULL,
  made_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE club_member (
  club       uuid        NOT NULL REFERENCES club ON DELETE CASCADE,
  account_id uuid        NOT NULL REFERENCES account ON DELETE CASCADE,
  role       text        NOT NULL CHECK (role IN ('owner', 'manager', 'member')),
  since      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (club, account_id)
);
CREATE INDEX club_member_account ON club_member (account_id);

-- Which games are a club's; as for reservations the claim tells whether the row holds.
CREATE TABLE club_game (
  game_id  uuid NOT NULL,
  claim    uuid NOT NULL,
  club     uuid NOT NULL,
  director smallint CHECK (director >= 1),        -- what the log calls its managers; null: as it does the game's maker
  PRIMARY KEY (game_id, claim)
);
CREATE INDEX club_game_club ON club_game (club, game_id DESC);

-- The lobby tells which claims hold, and what it may not tell spectators yet.
ALTER TABLE lobby
  ADD COLUMN opened uuid,                         -- the command id of the first event
  ADD COLUMN delay  json;                         -- {"ms", "until_end", "at": of the newest event, "begun"}
UPDATE lobby l SET opened = (e.body::json->>'cmd')::uuid FROM es.event e WHERE e.game_id = l.game_id AND e.seq = 1;
