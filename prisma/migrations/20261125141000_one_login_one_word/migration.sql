-- Who signs in by one login of the provider is one person, also where an address that has changed there has made a second
-- account here. What one of the accounts has made, said or approved, the others have as well.
CREATE FUNCTION same_login(person UUID) RETURNS SETOF UUID LANGUAGE sql STABLE AS $$
  SELECT person UNION
  SELECT o.id FROM people p JOIN people o ON o.merchant_id = p.merchant_id AND o.provider_user_id = p.provider_user_id WHERE p.id = person;
$$;

-- As it was ("approvals"), with the other accounts of each maker.
CREATE OR REPLACE FUNCTION movement_makers(movement UUID) RETURNS SETOF UUID LANGUAGE sql STABLE AS $$
  WITH RECURSIVE made AS (
    SELECT m.maker_id, m.retry_of FROM movements m WHERE m.id = movement
    UNION SELECT m.maker_id, m.retry_of FROM movements m JOIN made ON m.id = made.retry_of WHERE m.sends = 0)
  SELECT DISTINCT one FROM made, same_login(made.maker_id) AS one;
$$;

CREATE FUNCTION approvals_one_login() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM approvals a WHERE a.movement_id = NEW.movement_id AND a.person_id <> NEW.person_id
      AND a.person_id IN (SELECT same_login(NEW.person_id))) THEN
    RAISE EXCEPTION 'one login approves once' USING ERRCODE = 'MV055';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER approvals_one_login BEFORE INSERT ON "approvals" FOR EACH ROW EXECUTE FUNCTION approvals_one_login();

-- A withdrawn word is none: the other account may speak then.
CREATE FUNCTION second_person_words_one_login() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.claim IS NOT NULL AND EXISTS (
    SELECT FROM (SELECT r.maker_id AS id FROM second_person_requests r WHERE r.id = NEW.request_id
      UNION SELECT l.person_id FROM (SELECT DISTINCT ON (w.person_id) w.person_id, w.claim FROM second_person_words w
        WHERE w.request_id = NEW.request_id ORDER BY w.person_id, w.id DESC) l WHERE l.claim IS NOT NULL) said
    WHERE said.id <> NEW.person_id AND said.id IN (SELECT same_login(NEW.person_id))) THEN
    RAISE EXCEPTION 'one login is not two people' USING ERRCODE = 'MV033';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER second_person_words_one_login BEFORE INSERT ON "second_person_words" FOR EACH ROW EXECUTE FUNCTION second_person_words_one_login();
