-- Payments that are made here: in the register from before anything of them leaves, under an invoice number of our own that no other has.
ALTER TABLE "card_payments" ADD COLUMN "kind" TEXT,
ADD COLUMN "content" JSONB,
ADD COLUMN "content_hash" TEXT,
ADD COLUMN "sent_at" TIMESTAMPTZ(6),
ADD COLUMN "answer" TEXT,
ADD COLUMN "link" TEXT;

-- What Prisma has no words for ------------------------------------------------------------------------------------

ALTER TABLE "card_payments"
  DROP CONSTRAINT "card_payments_source",
  ADD CONSTRAINT "card_payments_source" CHECK (source IN ('notice', 'person', 'made_here')),
  ADD CONSTRAINT "card_payments_kind" CHECK (kind IN ('three_d', 'non_secure', 'saved_three_d', 'saved_non_secure', 'link')),
  -- A payment made here has its kind, its content, its maker and its amount from the beginning; no other has any of the first three.
  ADD CONSTRAINT "card_payments_made" CHECK (CASE WHEN source = 'made_here'
    THEN kind IS NOT NULL AND content IS NOT NULL AND content_hash IS NOT NULL AND added_by IS NOT NULL AND amount_minor IS NOT NULL
    ELSE kind IS NULL AND content IS NULL AND content_hash IS NULL AND sent_at IS NULL END),
  ADD CONSTRAINT "card_payments_answer" CHECK (answer IS NULL OR sent_at IS NOT NULL),
  ADD CONSTRAINT "card_payments_link" CHECK (link IS NULL OR (kind = 'link' AND link ~ '^https?://'));

-- Whoever asks the gateway to charge says so before; what it answered is written once, beside what its record says.
GRANT UPDATE ("sent_at", "answer", "link") ON "card_payments" TO dashboard_web;

-- One request at most: what was sent cannot be unsaid, and what was answered is not answered again.
CREATE FUNCTION card_charge_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.sent_at IS NOT NULL AND NEW.sent_at IS DISTINCT FROM OLD.sent_at THEN RAISE EXCEPTION 'a card payment is sent once'; END IF;
  IF OLD.answer IS NOT NULL AND NEW.answer IS DISTINCT FROM OLD.answer THEN RAISE EXCEPTION 'a card payment is answered once'; END IF;
  IF OLD.link IS NOT NULL AND NEW.link IS DISTINCT FROM OLD.link THEN RAISE EXCEPTION 'a payment link is made once'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER card_charge_once BEFORE UPDATE OF "sent_at", "answer", "link" ON "card_payments" FOR EACH ROW EXECUTE FUNCTION card_charge_once();
