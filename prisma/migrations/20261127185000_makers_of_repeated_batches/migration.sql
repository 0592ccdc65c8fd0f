-- As it was ("batch_approvals"). A draft that repeats a batch which was sent back is a later version of it, although it has no parent:
-- who made one of the versions approves none of them.
CREATE OR REPLACE FUNCTION batch_makers(batch UUID) RETURNS SETOF UUID LANGUAGE sql STABLE AS $$
  WITH RECURSIVE made AS (
    SELECT b.maker_id, b.parent_id, b.from_id FROM batches b WHERE b.id = batch
    UNION SELECT b.maker_id, b.parent_id, b.from_id FROM made JOIN batches b ON b.id = made.parent_id
      OR (b.id = made.from_id AND EXISTS (SELECT FROM batch_runs r WHERE r.batch_id = b.id AND r.sent_back_reason IS NOT NULL)))
  SELECT DISTINCT one FROM made, same_login(made.maker_id) AS one;
$$;
