-- While no worker ran for two months, whoever took old months away took the last one, too: no month was ever made again, and all evidence
-- went to "evidence_rest".
-- Makes the parts of the months up to "ahead" months from now that are missing, and answers how many. A month of which rows are in
-- "evidence_rest" keeps them there. A lock is waited for half a second at most, and before a payment could find a deadlock: the next call
-- does the rest.
CREATE OR REPLACE FUNCTION add_evidence_months(ahead INTEGER) RETURNS INTEGER LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE
  beginning TIMESTAMP;
  part TEXT;
  made INTEGER := 0;
BEGIN
  -- Where every month was taken away, the present one is the first.
  SELECT coalesce(max(substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \(''([^'']+)''\)')::timestamptz) AT TIME ZONE 'UTC',
      date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC')) INTO beginning
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'evidence'::regclass;
  WHILE beginning < (clock_timestamp() AT TIME ZONE 'UTC') + make_interval(months => ahead) LOOP
    part := 'evidence_' || to_char(beginning, 'YYYY_MM');
    BEGIN
      -- In the order in which payments take them.
      LOCK TABLE movements IN SHARE ROW EXCLUSIVE MODE;
      EXECUTE format('CREATE TABLE %I (LIKE evidence INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', part);
      EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', part);
      EXECUTE format('ALTER TABLE evidence ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', part,
        beginning AT TIME ZONE 'UTC', (beginning + interval '1 month') AT TIME ZONE 'UTC');
      made := made + 1;
    EXCEPTION
      WHEN check_violation THEN NULL;
      WHEN lock_not_available OR deadlock_detected OR duplicate_table OR unique_violation THEN RETURN made;
    END;
    beginning := beginning + interval '1 month';
  END LOOP;
  RETURN made;
END $$;
