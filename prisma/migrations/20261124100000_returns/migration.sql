-- Money of a completed payout that the bank sent back is called a return, as the glossary does; a refund is a card's.
-- Constraints, index predicates and the generated column follow a rename by themselves; functions hold their text, so each is
-- created again. Evidence and the audit log are append-only: their older
-- rows keep the event's earlier name, which the readers know.
ALTER TABLE "movements" RENAME COLUMN refund TO returned;
ALTER TABLE "movements" RENAME COLUMN refund_at TO returned_at;
ALTER TABLE "movements" RENAME COLUMN refund_hinted TO return_hinted;
ALTER TABLE "movements" RENAME CONSTRAINT "movements_refund" TO "movements_returned";
ALTER TABLE "movements" RENAME CONSTRAINT "movements_refund_needs_completed" TO "movements_returned_needs_completed";

DO $$
DECLARE one oid;
BEGIN
  FOR one IN SELECT p.oid FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.prosrc ~ '\m(NEW|OLD|p|m)\.refund\M' LOOP
    EXECUTE regexp_replace(regexp_replace(pg_get_functiondef(one), '\m(NEW|OLD|p|m)\.refund\M', '\1.returned', 'g'),
      '(confirmed|confirms a) refund\M', '\1 return', 'g');
  END LOOP;
END $$;

-- Whether a person has seen an alert does not change with its name.
ALTER TABLE "movements" DISABLE TRIGGER USER;
UPDATE "movements" SET alert = 'return_not_confirmed' WHERE alert = 'refund_not_confirmed';
UPDATE "movements" SET alert = 'return_amount_differs' WHERE alert = 'refund_amount_differs';
ALTER TABLE "movements" ENABLE TRIGGER USER;
UPDATE "differences" SET kind = 'return_unseen' WHERE kind = 'refund_unseen';
UPDATE "differences" SET kind = 'return_missing' WHERE kind = 'refund_missing';
