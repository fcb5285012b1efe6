-- What an account has used of the vacation of each calendar year (UTC); what is planned counts in the years it lies in.
CREATE TABLE vacation_year (
  account_id uuid     NOT NULL REFERENCES account ON DELETE CASCADE,
  year       smallint NOT NULL,
  used_ms    bigint   NOT NULL,
  PRIMARY KEY (account_id, year)
);
INSERT INTO vacation_year SELECT account_id, year, used_ms FROM vacation;
-- `vacation` keeps the one that stands, if any.
DELETE FROM vacation WHERE begins IS NULL OR ends IS NULL;
ALTER TABLE vacation
  DROP COLUMN year,
  DROP COLUMN used_ms,
  ALTER COLUMN begins SET NOT NULL,
  ALTER COLUMN ends SET NOT NULL;
