-- A payment out of the card balance to a bank account is a movement like any other. It has a payee as a payout has one, and the
-- telephone number that the gateway asks for; what it has not is a wallet and a payment type.
ALTER TABLE "movements" ADD COLUMN "phone" TEXT;

-- What Prisma has no words for ------------------------------------------------------------------------------------

ALTER TABLE "movements" DROP CONSTRAINT "movements_payee";
ALTER TABLE "movements" ADD CONSTRAINT "movements_payee" CHECK (
  CASE
    WHEN rail IN ('transfer_person', 'transfer_business', 'transfer_own')
    THEN to_wallet IS NOT NULL AND to_wallet ~ '^[0-9]{4,20}$' AND to_wallet <> wallet AND iban = '' AND tax_number = ''
      AND (found_by IS NOT NULL) = (rail = 'transfer_person') AND (found_name IS NULL OR rail = 'transfer_person') AND (payment_type = '') = (rail = 'transfer_own')
    WHEN rail IN ('card_capture', 'card_release', 'card_refund')
    THEN to_wallet IS NULL AND found_by IS NULL AND found_name IS NULL AND wallet = '' AND iban = '' AND tax_number = '' AND payment_type = ''
    WHEN rail = 'cashout'
    THEN to_wallet IS NULL AND found_by IS NULL AND found_name IS NULL AND wallet = '' AND iban <> '' AND payment_type = ''
    ELSE to_wallet IS NULL AND found_by IS NULL AND found_name IS NULL AND iban <> ''
  END);
ALTER TABLE "movements" ADD CONSTRAINT "movements_phone" CHECK ((phone IS NOT NULL) = (rail = 'cashout') AND (phone IS NULL OR phone ~ '^[0-9]{10,15}$'));

-- Two people may say of a cashout alone that the gateway has taken it: there is no question that a worker could ask.
INSERT INTO "movement_steps" ("from_state", "to_state", "taken_by") VALUES ('UNKNOWN', 'PENDING', 'dashboard_web');

-- The guard as it was ("card_operations"); the telephone number is content, frozen once it is submitted.
CREATE OR REPLACE FUNCTION movements_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN RAISE EXCEPTION 'a movement is never deleted' USING ERRCODE = 'MV001'; END IF;
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'DRAFT' OR NEW.sends <> 0 OR NEW.ever_ambiguous OR NEW.refund <> 'NONE' THEN
      RAISE EXCEPTION 'a movement begins as a clean draft' USING ERRCODE = 'MV001';
    END IF;
    IF NEW.retry_of IS NOT NULL AND NOT EXISTS (
      SELECT FROM movements p WHERE p.id = NEW.retry_of AND p.merchant_id = NEW.merchant_id AND p.attention IS DISTINCT FROM 'contradiction'
        AND (p.state IN ('REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED') OR (p.state = 'COMPLETED' AND p.refund = 'CONFIRMED'))
    ) THEN RAISE EXCEPTION 'only a payment that provably did not happen may be paid again' USING ERRCODE = 'MV002'; END IF;
    RETURN NEW;
  END IF;

  IF (NEW.id, NEW.merchant_id, NEW.rail, NEW.ext_id, NEW.maker_id, NEW.created_at, NEW.retry_of)
     IS DISTINCT FROM (OLD.id, OLD.merchant_id, OLD.rail, OLD.ext_id, OLD.maker_id, OLD.created_at, OLD.retry_of) THEN
    RAISE EXCEPTION 'the identity of a movement never changes' USING ERRCODE = 'MV003';
  END IF;
  IF OLD.state <> 'DRAFT' AND
     (NEW.wallet, NEW.iban, NEW.name, NEW.tax_number, NEW.to_wallet, NEW.found_by, NEW.found_name, NEW.amount_minor, NEW.currency, NEW.payment_type, NEW.description, NEW.phone, NEW.card_payment_id, NEW.invoice_id, NEW.before_minor, NEW.content_hash, NEW.obligation, NEW.approvals_needed)
     IS DISTINCT FROM
     (OLD.wallet, OLD.iban, OLD.name, OLD.tax_number, OLD.to_wallet, OLD.found_by, OLD.found_name, OLD.amount_minor, OLD.currency, OLD.payment_type, OLD.description, OLD.phone, OLD.card_payment_id, OLD.invoice_id, OLD.before_minor, OLD.content_hash, OLD.obligation, OLD.approvals_needed) THEN
    RAISE EXCEPTION 'the content of a submitted movement never changes' USING ERRCODE = 'MV004';
  END IF;
  IF (OLD.ever_ambiguous AND NOT NEW.ever_ambiguous) OR (OLD.duplicate_seen AND NOT NEW.duplicate_seen) OR NEW.sends < OLD.sends THEN
    RAISE EXCEPTION 'what was learned about a movement is never unlearned' USING ERRCODE = 'MV005';
  END IF;
  IF NEW.state <> OLD.state THEN
    IF NOT EXISTS (SELECT FROM movement_steps s WHERE s.from_state = OLD.state AND s.to_state = NEW.state
                   AND (s.taken_by = current_user OR pg_has_role(current_user, s.taken_by, 'MEMBER'))) THEN
      RAISE EXCEPTION 'no step from % to % for %', OLD.state, NEW.state, current_user USING ERRCODE = 'MV006';
    END IF;
    -- Only where nobody answers questions do people say that it was taken.
    IF OLD.state = 'UNKNOWN' AND NEW.state = 'PENDING' AND NEW.rail <> 'cashout' AND NOT pg_has_role(current_user, 'dashboard_worker', 'MEMBER') THEN
      RAISE EXCEPTION 'no step from % to % for %', OLD.state, NEW.state, current_user USING ERRCODE = 'MV006';
    END IF;
    -- Once unclear, an answer to a later send proves nothing about the earlier one.
    IF OLD.state = 'SUBMITTING' AND NEW.state IN ('APPROVED', 'REJECTED') AND NEW.ever_ambiguous THEN
      RAISE EXCEPTION 'an ambiguous movement is settled by a read only' USING ERRCODE = 'MV007';
    END IF;
    -- Approvals are of exactly this content, by people other than the maker; they are counted again before every send.
    IF (NEW.state = 'SUBMITTING' OR (OLD.state = 'AWAITING_APPROVAL' AND NEW.state = 'APPROVED')) AND NEW.approvals_needed > (
      SELECT count(DISTINCT a.person_id) FROM approvals a
      WHERE a.movement_id = NEW.id AND a.content_hash = NEW.content_hash AND a.person_id <> NEW.maker_id
    ) THEN RAISE EXCEPTION 'not enough approvals of this content' USING ERRCODE = 'MV011'; END IF;
    IF NEW.state = 'CANCELLED' AND OLD.lease_until > clock_timestamp() THEN
      RAISE EXCEPTION 'a worker holds this movement' USING ERRCODE = 'MV012';
    END IF;
    IF NEW.state = 'SUBMITTING' AND NEW.sends <> OLD.sends + 1 THEN
      RAISE EXCEPTION 'a send is counted when it is claimed' USING ERRCODE = 'MV008';
    END IF;
  ELSIF NEW.sends <> OLD.sends THEN
    RAISE EXCEPTION 'a send is counted when it is claimed' USING ERRCODE = 'MV008';
  END IF;
  IF OLD.refund = 'CONFIRMED' AND NEW.refund <> 'CONFIRMED' THEN
    RAISE EXCEPTION 'a confirmed refund stays confirmed' USING ERRCODE = 'MV009';
  END IF;
  -- Only who asks the ledger can have seen it there.
  IF NEW.refund = 'CONFIRMED' AND OLD.refund <> 'CONFIRMED' AND NOT pg_has_role(current_user, 'dashboard_worker', 'MEMBER') THEN
    RAISE EXCEPTION 'only the worker confirms a refund' USING ERRCODE = 'MV009';
  END IF;
  NEW.updated_at := clock_timestamp();
  RETURN NEW;
END $$;
