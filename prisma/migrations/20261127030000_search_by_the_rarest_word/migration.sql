-- A list's search, by what a sample of the rows says of its words. An index reads every row that a beginning stands for before it joins two of
-- them, so that common words cost as much as the table has rows. Here only rare words are looked up, the others are compared in the rows found;
-- and words that many rows have together are not looked up at all: one NULL says that a list meets them soon by reading row after row.
-- The sample decides which way is taken, never what is found. `match_movements` stays for the former version.
CREATE FUNCTION find_movements(wanted TSQUERY, most INTEGER) RETURNS SETOF UUID LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 50
  SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  merchant CONSTANT UUID := nullif(current_setting('app.merchant_id', true), '')::uuid;
  sampled CONSTANT INTEGER := 40;
  blocks CONSTANT INTEGER := pg_relation_size('movements') / current_setting('block_size')::integer;
  -- Common in the sample: more rows than are worth reading one by one, and not by chance.
  common CONSTANT REAL := greatest(10.0 * most * sampled / greatest(blocks, 1), 5);
  sample TSVECTOR[];
  looked_up TSQUERY := wanted;
BEGIN
  IF blocks > 10 * sampled THEN
    sample := ARRAY(SELECT words FROM movements WHERE merchant_id = merchant AND ctid = ANY (ARRAY(
      SELECT format('(%s,%s)', nth * (blocks::bigint - 1) / (sampled - 1), line)::tid
      FROM generate_series(0, sampled - 1) nth, generate_series(1, 25) line)));
    IF (SELECT count(*) FROM unnest(sample) row_words WHERE row_words @@ wanted) > common THEN
      RETURN NEXT NULL;
      RETURN;
    END IF;
    -- Of each alternative its rare words; all of them where each is common.
    SELECT string_agg(coalesce(rare, alternative), ' | ')::tsquery INTO looked_up
    FROM regexp_split_to_table(wanted::text, ' \| ') alternative
    CROSS JOIN LATERAL (SELECT string_agg(word, ' & ') AS rare
      FROM regexp_split_to_table(alternative, ' & ') word
      WHERE (SELECT count(*) FROM unnest(sample) row_words WHERE row_words @@ word::tsquery) <= common) of_it;
  END IF;
  RETURN QUERY SELECT id FROM movements WHERE merchant_id = merchant AND words @@ looked_up
    AND CASE WHEN words @@ wanted THEN TRUE ELSE FALSE END LIMIT most;
END $$;
REVOKE ALL ON FUNCTION find_movements FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_movements TO dashboard_web;
