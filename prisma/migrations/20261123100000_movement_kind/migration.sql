-- The column is called as the glossary calls it: a movement has a kind. Constraints and index
-- predicates follow a rename by themselves; functions hold their text, so each is created again.
ALTER TABLE "movements" RENAME COLUMN rail TO kind;
ALTER TABLE "send_switches" RENAME COLUMN rail TO kind;
ALTER INDEX "movements_merchant_id_rail_created_at_id_idx" RENAME TO "movements_merchant_id_kind_created_at_id_idx";
ALTER INDEX "movements_merchant_id_rail_bucket_created_at_id_idx" RENAME TO "movements_merchant_id_kind_bucket_created_at_id_idx";
ALTER INDEX "movements_merchant_id_rail_amount_minor_id_idx" RENAME TO "movements_merchant_id_kind_amount_minor_id_idx";
ALTER INDEX "movements_merchant_id_rail_name_sort_id_idx" RENAME TO "movements_merchant_id_kind_name_sort_id_idx";

DO $$
DECLARE one oid;
BEGIN
  FOR one IN SELECT p.oid FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.prosrc ~ '\mrail\M' LOOP
    EXECUTE regexp_replace(pg_get_functiondef(one), '\mrail\M', 'kind', 'g');
  END LOOP;
END $$;
