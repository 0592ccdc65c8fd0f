-- The numbers of the refunds that stood on the payment's record when a refund was prepared, from the record that judged it. A row that
-- was not among them and agrees with ours is ours, under whichever number the gateway lists it. Null: of before, or not a refund.
ALTER TABLE "movements" ADD COLUMN "refund_ids_before" JSONB;

-- What Prisma has no words for ------------------------------------------------------------------------------------

ALTER TABLE "movements" ADD CONSTRAINT "movements_refund_ids_before" CHECK (
  refund_ids_before IS NULL OR (jsonb_typeof(refund_ids_before) = 'array' AND rail = 'card_refund'));

-- It is what the record said before anything left: nobody writes it later.
CREATE FUNCTION movements_refund_ids_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.refund_ids_before IS DISTINCT FROM OLD.refund_ids_before THEN
    RAISE EXCEPTION 'the content of a submitted movement never changes' USING ERRCODE = 'MV004';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER movements_refund_ids_once BEFORE UPDATE OF "refund_ids_before" ON "movements"
  FOR EACH ROW EXECUTE FUNCTION movements_refund_ids_once();
