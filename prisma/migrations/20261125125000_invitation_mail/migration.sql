-- The mail of an invitation: sent at most once. "due_at" is null from the moment at which a worker takes it.
CREATE TABLE "invitation_mails" (
    "merchant_id" UUID NOT NULL,
    "invitation_id" UUID NOT NULL,
    "due_at" TIMESTAMPTZ(6),
    "tries" INTEGER NOT NULL DEFAULT 0,
    "begun_at" TIMESTAMPTZ(6),
    "mailed_at" TIMESTAMPTZ(6),

    CONSTRAINT "invitation_mails_pkey" PRIMARY KEY ("invitation_id")
);

ALTER TABLE "invitation_mails" ADD CONSTRAINT "invitation_mails_invitation_id_fkey" FOREIGN KEY ("invitation_id") REFERENCES "person_invitations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma has no words for --------------------------------------------------------------------------------------

CREATE INDEX "invitation_mails_due" ON "invitation_mails" ("merchant_id", "due_at") WHERE due_at IS NOT NULL;

ALTER TABLE "invitation_mails" ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON "invitation_mails" TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid);
GRANT SELECT ON "invitation_mails" TO dashboard_web;
GRANT SELECT, INSERT, UPDATE ("due_at", "tries", "begun_at", "mailed_at") ON "invitation_mails" TO dashboard_worker;
-- As every table, the web may read it within its merchant.
GRANT SELECT ON "push_sends" TO dashboard_web;
