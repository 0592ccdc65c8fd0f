-- Old months are taken away beside payments: every part is looked through before the first lock, the locks are taken in the order in which
-- payments take them, and one that is not free after half a second ends the call with nothing changed, to be tried again.
CREATE OR REPLACE FUNCTION detach_evidence_before(before DATE) RETURNS SETOF TEXT LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' AS $$
DECLARE
  part TEXT;
  closed TEXT[] := '{}';
  is_open BOOLEAN;
BEGIN
  IF before > date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC') THEN
    RAISE EXCEPTION 'evidence of this month and of later ones stays: % is too late', before;
  END IF;
  FOR part IN SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'evidence'::regclass
      AND substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \(''([^'']+)''\)')::timestamptz <= before::timestamp AT TIME ZONE 'UTC'
      ORDER BY 1 LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM %I e JOIN movements m ON m.id = e.movement_id WHERE m.ended_at IS NULL)', part) INTO is_open;
    IF NOT is_open THEN closed := closed || part; END IF;
  END LOOP;
  -- small: no row is read while the locks are held. A movement that has ended never opens again.
  LOCK TABLE movements IN SHARE ROW EXCLUSIVE MODE;
  FOREACH part IN ARRAY closed LOOP
    EXECUTE format('ALTER TABLE evidence DETACH PARTITION %I', part);
    RETURN NEXT part;
  END LOOP;
END $$;

-- An export of a searched list looks its words up as the list does.
GRANT EXECUTE ON FUNCTION find_movements TO dashboard_worker;
