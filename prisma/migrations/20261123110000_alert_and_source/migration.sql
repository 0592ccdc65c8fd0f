-- What a movement asks a person to look at is called alert, as the glossary does. Constraints,
-- index predicates and the generated column follow a rename by themselves; functions hold their
-- text, so each is created again.
ALTER TABLE "movements" RENAME COLUMN attention TO alert;
ALTER TABLE "movements" RENAME COLUMN attention_seen_by TO alert_seen_by;
ALTER TABLE "movements" RENAME COLUMN attention_seen_at TO alert_seen_at;
ALTER TABLE "movements" RENAME COLUMN attention_seen_reason TO alert_seen_reason;
ALTER TABLE "movements" RENAME CONSTRAINT "movements_attention_seen_by_fkey" TO "movements_alert_seen_by_fkey";

DO $$
DECLARE one oid;
BEGIN
  FOR one IN SELECT p.oid FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.prosrc ~ '\mattention(_seen_\w+)?\M' LOOP
    EXECUTE regexp_replace(pg_get_functiondef(one), '\m(NEW\.|OLD\.|p\.|m\.)?attention(_seen_\w+)?\M', '\1alert\2', 'g');
  END LOOP;
END $$;
ALTER FUNCTION movements_attention() RENAME TO movements_alert;
ALTER TRIGGER movements_attention ON "movements" RENAME TO movements_alert;

-- The same for sources and observations.
ALTER TABLE "evidence" RENAME COLUMN witness TO source;
ALTER TABLE "card_testimonies" RENAME COLUMN witness TO source;
ALTER TABLE "card_testimonies" RENAME TO "card_observations";
ALTER TABLE "card_observations" RENAME CONSTRAINT "card_testimonies_pkey" TO "card_observations_pkey";
ALTER TABLE "card_observations" RENAME CONSTRAINT "card_testimonies_payment_id_fkey" TO "card_observations_payment_id_fkey";
ALTER INDEX "card_testimonies_payment_id_id_idx" RENAME TO "card_observations_payment_id_id_idx";
ALTER SEQUENCE "card_testimonies_id_seq" RENAME TO "card_observations_id_seq";
