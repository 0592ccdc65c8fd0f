-- As it was ("one_login_one_word"). A payment of a batch that waits by itself has all makers of the batch, and so has what is sent instead of
-- it: who made a version that was sent back does not approve one row of the next version.
CREATE OR REPLACE FUNCTION movement_makers(movement UUID) RETURNS SETOF UUID LANGUAGE sql STABLE AS $$
  WITH RECURSIVE made AS (
    SELECT m.id, m.maker_id, m.retry_of FROM movements m WHERE m.id = movement
    UNION SELECT m.id, m.maker_id, m.retry_of FROM movements m JOIN made ON m.id = made.retry_of WHERE m.sends = 0)
  SELECT one FROM made, same_login(made.maker_id) AS one
  UNION SELECT one FROM made JOIN batch_rows r ON r.movement_id = made.id, batch_makers(r.batch_id) AS one;
$$;
