-- In how many installments a card payment is paid, and what the gateway keeps of it, as its record names them; null is
-- unknown, never zero.
ALTER TABLE "card_payments" ADD COLUMN "installments" INTEGER, ADD COLUMN "commission_minor" BIGINT;

ALTER TABLE "card_payments"
  ADD CONSTRAINT "card_payments_terms" CHECK (installments > 0 AND commission_minor >= 0);
