-- A database in which much has happened: rows of every table that grows. They have the shape of real rows and no
-- meaning: no game of them can be folded. So nothing may come upon one of them save lists, which tell what rows hold.

INSERT INTO account (id, name)
  SELECT md5('account' || n)::uuid, 'Account ' || n
  FROM generate_series(0, 23999) n ON CONFLICT DO NOTHING;
INSERT INTO token (hash, account_id, label, scopes)
  SELECT sha256(('token' || n)::bytea), md5('account' || (n % 24000))::uuid, 'program', '{game:read}'
  FROM generate_series(0, 23999) n ON CONFLICT DO NOTHING;
INSERT INTO handle (handle, account_id)
  SELECT 'handle' || n, md5('account' || (n % 24000))::uuid
  FROM generate_series(0, 23999) n ON CONFLICT DO NOTHING;
INSERT INTO recovery_code (hash, account_id, batch)
  SELECT sha256(('code' || n)::bytea), md5('account' || (n % 24000))::uuid, md5('batch' || n)::uuid
  FROM generate_series(0, 23999) n ON CONFLICT DO NOTHING;
INSERT INTO shown_once (account_id, key, request, shown)
  SELECT md5('account' || (n % 24000))::uuid, 'key' || n, sha256(('x' || n)::bytea), md5('shown' || n)::uuid
  FROM generate_series(0, 23999) n ON CONFLICT DO NOTHING;
INSERT INTO founding (account_id, key, request, game_id)
  SELECT md5('account' || (n % 24000))::uuid, 'key' || n, sha256(('x' || n)::bytea), md5('game' || n)::uuid
  FROM generate_series(0, 11999) n ON CONFLICT DO NOTHING;
INSERT INTO seat_claim (game_id, claim, seat, account_id)
  SELECT md5('game' || (n % 12000))::uuid, md5('claim' || n)::uuid, n % 3, md5('account' || (n % 24000))::uuid
  FROM generate_series(0, 35999) n ON CONFLICT DO NOTHING;
INSERT INTO es.game_secret (game_id, anchor, deal, hide, bot)
  SELECT md5('game' || n)::uuid, '', '', '', ''
  FROM generate_series(0, 11999) n ON CONFLICT DO NOTHING;
INSERT INTO es.text (game_id, cmd, field, salt, body, account_id)
  SELECT md5('game' || n)::uuid, md5('claim' || n)::uuid, 'text', '', 'said',
    md5('account' || (n % 24000))::uuid
  FROM generate_series(0, 11999) n ON CONFLICT DO NOTHING;
-- What fails is mended or set aside: it does not grow with what happens.
INSERT INTO es.failed (game_id, kind, seq, error, attempts, program, again_at)
  SELECT md5('game' || n)::uuid, 'bot', 1, 'x', 1, 'x', now() + interval '1 day'
  FROM generate_series(0, 19) n ON CONFLICT DO NOTHING;
INSERT INTO lobby (game_id, title, version, status, seats, waiting_for, house, bot, analysis, seq, created_at,
  person, since, owner, opened, due)
  SELECT md5('game' || n)::uuid, 'colonial', 1, CASE WHEN n % 4 = 0 THEN 'finished' ELSE 'running' END,
    '[{"seat": 0, "bot": "steady"}]', '{0}', false, CASE WHEN n % 8 = 1 THEN 0 END, false, 10,
    '2026-01-01'::timestamptz + n * interval '1 second', true,
    CASE WHEN n % 8 = 1 THEN '2026-01-01'::timestamptz + n * interval '1 second' END,
    md5('account' || (n % 24000))::uuid, md5('claim' || n)::uuid,
    CASE WHEN n % 4 = 2 THEN now() + interval '1 day' END
  FROM generate_series(0, 11999) n ON CONFLICT DO NOTHING;
INSERT INTO tally (lane, title, status, stuck, games)
  SELECT get_byte(uuid_send(game_id), 15) & 63, title, status, stuck, count(*) FROM lobby GROUP BY 1, 2, 3, 4
  ON CONFLICT (lane, title, status, stuck) DO UPDATE SET games = EXCLUDED.games;
INSERT INTO game_end (game_id, audience, position, nth)
  SELECT game_id, 'all', row_number() OVER (ORDER BY created_at), 0 FROM lobby WHERE status = 'finished'
  ON CONFLICT DO NOTHING;
INSERT INTO history (game_id, seq, viewer, text)
  SELECT md5('game' || (n / 10))::uuid, n % 10 + 1, -1, 'It happened.'
  FROM generate_series(0, 119999) n ON CONFLICT DO NOTHING;
INSERT INTO turn (game_id, seat, seq, claim, kinds, since, deadline, near, stands)
  SELECT md5('game' || (n / 2))::uuid, n % 2, 1, md5('claim' || n)::uuid, '{play}',
    '2026-01-01'::timestamptz + n * interval '1 second', now() + interval '1 day', now() + interval '1 day',
    false
  FROM generate_series(0, 23999) n ON CONFLICT DO NOTHING;
INSERT INTO reliability (game_id, seq, claim, at, in_time, account_id)
  SELECT md5('game' || (n / 3))::uuid, n % 3, md5('claim' || n)::uuid, now() - (n % 89) * interval '1 day',
    true, md5('account' || (n % 24000))::uuid
  FROM generate_series(0, 35999) n ON CONFLICT DO NOTHING;
-- Rows beside a game that mean nothing: their claims are not those of its first event.
INSERT INTO game_access (game_id, claim, visibility)
  SELECT md5('game' || n)::uuid, md5('other' || n)::uuid, 'private'
  FROM generate_series(0, 11999) n ON CONFLICT DO NOTHING;
INSERT INTO game_director (game_id, claim, director, account_id)
  SELECT md5('game' || n)::uuid, md5('other' || n)::uuid, 1, md5('account' || (n % 24000))::uuid
  FROM generate_series(0, 11999) n ON CONFLICT DO NOTHING;
INSERT INTO seat_reservation (game_id, claim, seat, account_id)
  SELECT md5('game' || n)::uuid, md5('other' || n)::uuid, 0, md5('account' || (n % 24000))::uuid
  FROM generate_series(0, 11999) n ON CONFLICT DO NOTHING;
INSERT INTO invitation (subject, id, hash, uses, account_id, made_at, expires_at)
  SELECT md5('game' || n)::uuid, md5('invitation' || n)::uuid, sha256(('i' || n)::bytea), 1,
    md5('account' || (n % 24000))::uuid, now(), now() + interval '1 day'
  FROM generate_series(0, 11999) n ON CONFLICT DO NOTHING;
INSERT INTO invitation_use (subject, invitation, claim, settled)
  SELECT md5('game' || n)::uuid, md5('invitation' || n)::uuid, md5('claim' || n)::uuid, true
  FROM generate_series(0, 11999) n ON CONFLICT DO NOTHING;
INSERT INTO club (id, name)
  SELECT md5('club' || n)::uuid, 'Club ' || n
  FROM generate_series(0, 11999) n ON CONFLICT DO NOTHING;
INSERT INTO club_member (club, account_id, role)
  SELECT md5('club' || n)::uuid, md5('account' || (n % 24000))::uuid, 'owner'
  FROM generate_series(0, 11999) n ON CONFLICT DO NOTHING;
INSERT INTO club_game (game_id, claim, club)
  SELECT md5('game' || n)::uuid, md5('other' || n)::uuid, md5('club' || n)::uuid
  FROM generate_series(0, 11999) n ON CONFLICT DO NOTHING;
INSERT INTO note (game_id, account_id, version, notes)
  SELECT md5('game' || n)::uuid, md5('account' || (n % 24000))::uuid, 1, '[]'
  FROM generate_series(0, 11999) n ON CONFLICT DO NOTHING;
INSERT INTO vacation_year (account_id, year, used_ms)
  SELECT md5('account' || (n % 24000))::uuid, 2026, 0
  FROM generate_series(0, 11999) n ON CONFLICT DO NOTHING;
INSERT INTO notice (account_id, number, type, stream, seq, data, at)
  SELECT md5('account' || (n % 24000))::uuid, n / 24000 + 1, 'game.begun', md5('game' || n)::uuid, 1, '{}',
    now() - (n % 89) * interval '1 day'
  FROM generate_series(0, 95999) n ON CONFLICT DO NOTHING;
INSERT INTO webhook (id, account_id, url, types, secret)
  SELECT md5('webhook' || n)::uuid, md5('account' || (n % 24000))::uuid, 'https://example.org', '{game.begun}',
    ''
  FROM generate_series(0, 11999) n ON CONFLICT DO NOTHING;
INSERT INTO webhook_delivery (webhook_id, account_id, number, next_at, status)
  SELECT md5('webhook' || (n % 12000))::uuid, md5('account' || (n % 12000))::uuid, n / 12000 + 1, now(),
    'delivered'
  FROM generate_series(0, 47999) n ON CONFLICT DO NOTHING;
INSERT INTO tournament (tournament, title, status, seq, formats, entrants, most, stage, round, created_at,
  opened, claims, over, delayed, playing, dues)
  SELECT md5('tournament' || n)::uuid, 'colonial', 'finished', 1, '{swiss}', 4, 8, 0, 0,
    '2026-01-01'::timestamptz + n * interval '1 second', md5('claim' || n)::uuid, '{}', true, false, '{}', '{}'
  FROM generate_series(0, 11999) n ON CONFLICT DO NOTHING;
INSERT INTO entrant (tournament, claim, account_id)
  SELECT md5('tournament' || (n / 4))::uuid, md5('claim' || n)::uuid, md5('account' || (n % 24000))::uuid
  FROM generate_series(0, 47999) n ON CONFLICT DO NOTHING;
INSERT INTO tournament_director (tournament, claim, director, account_id)
  SELECT md5('tournament' || n)::uuid, md5('claim' || n)::uuid, 0, md5('account' || (n % 24000))::uuid
  FROM generate_series(0, 11999) n ON CONFLICT DO NOTHING;
INSERT INTO subject (account_id, subject)
  SELECT md5('account' || n)::uuid, md5('subject' || n)::uuid
  FROM generate_series(0, 23999) n ON CONFLICT DO NOTHING;
INSERT INTO subject_claim (game_id, claim, subject)
  SELECT md5('game' || n)::uuid, md5('claim' || n)::uuid, md5('subject' || n)::uuid
  FROM generate_series(0, 11999) n ON CONFLICT DO NOTHING;
INSERT INTO rating_game (position, game_id, head, at, shown_at, pool, players)
  SELECT n, md5('game' || n)::uuid, '', '2026-01-01'::timestamptz + n * interval '1 second',
    '2026-01-01'::timestamptz + n * interval '1 second', 'colonial.3-4.live', '[]'
  FROM generate_series(0, 11999) n ON CONFLICT DO NOTHING;
INSERT INTO rating_change (position, seat, pool, subject, place, months, mu_before, sigma_before, mu, sigma,
  games, at, shown_at)
  SELECT n / 3, n % 3, 'colonial.3-4.live', md5('subject' || n)::uuid, 1, 0, 25, 8, 25, 8, 1,
    '2026-01-01'::timestamptz + n * interval '1 second', '2026-01-01'::timestamptz + n * interval '1 second'
  FROM generate_series(0, 35999) n ON CONFLICT DO NOTHING;
INSERT INTO rating (pool, subject, mu, sigma, games, at, shown_at)
  SELECT 'colonial.3-4.live', md5('subject' || n)::uuid, 20 + n % 10, 8, 9,
    '2026-01-01'::timestamptz + n * interval '1 second', '2026-01-01'::timestamptz + n * interval '1 second'
  FROM generate_series(0, 23999) n ON CONFLICT DO NOTHING;
INSERT INTO es.secret (game_id, seq, audience, salt, body)
  SELECT md5('game' || (n / 10))::uuid, n % 10 + 1, 'p0', '', '{}'
  FROM generate_series(0, 119999) n ON CONFLICT DO NOTHING;
INSERT INTO es.snapshot (game_id, rules, seq, hash, state)
  SELECT md5('game' || n)::uuid, 'colonial/1/x', 5, '', ''
  FROM generate_series(0, 11999) n ON CONFLICT DO NOTHING;

CREATE INDEX filling ON es.log (game_id, seq);
INSERT INTO es.event (game_id, seq, body, hash)
  SELECT md5('game' || (n / 10))::uuid, n % 10 + 1,
    '{"at": "2026-01-01T00:00:00.000000Z", "cmd": "' || md5('cmd' || n)::uuid || '", "t": "Played"}',
    sha256(n::text::bytea)
  FROM generate_series(0, 119999) n;
INSERT INTO es.log (position, game_id, seq, lane)
  SELECT s.size + row_number() OVER (ORDER BY e.seq, e.game_id), e.game_id, e.seq,
    get_byte(uuid_send(e.game_id), 15) & 63
  FROM es.event e, es.sequencer s
  WHERE NOT EXISTS (SELECT FROM es.log l WHERE l.game_id = e.game_id AND l.seq = e.seq);
DROP INDEX es.filling;
-- Far behind the leaves of the real tree, which grows on from where it is.
INSERT INTO es.leaf (index, position, name, n, entry)
  SELECT 1000000000 + l.position, l.position, uuid_send(l.game_id), l.seq, ''
  FROM es.log l, es.tree t WHERE l.position > t.position;

-- Read models, tree and ratings have seen all of it.
UPDATE es.sequencer SET size = (SELECT max(position) FROM es.log);
UPDATE es.projection SET position = (SELECT size FROM es.sequencer);
UPDATE rating_state SET position = (SELECT size FROM es.sequencer);
UPDATE es.tree SET position = (SELECT size FROM es.sequencer);
ANALYZE;
