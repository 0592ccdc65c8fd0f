-- What a person is told: one row for a person, a kind and a thing, made by the worker from stored facts. A row whose
-- kind is not shown in the app is kept too, so that nothing old is told when the person chooses it later.
CREATE TABLE "notifications" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "thing" TEXT NOT NULL,
    "detail" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "made_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "in_app" BOOLEAN NOT NULL,
    "read_at" TIMESTAMPTZ(6),
    "mail_due_at" TIMESTAMPTZ(6),
    "mail_tries" INTEGER NOT NULL DEFAULT 0,
    "mail_begun_at" TIMESTAMPTZ(6),
    "mailed_at" TIMESTAMPTZ(6),

    CONSTRAINT "notifications_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "notifications_person_id_kind_thing_key" ON "notifications"("person_id", "kind", "thing");
CREATE INDEX "notifications_merchant_id_person_id_at_id_idx" ON "notifications"("merchant_id", "person_id", "at" DESC, "id" DESC);

ALTER TABLE "notifications" ADD CONSTRAINT "notifications_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The channels that a person has chosen for a kind. Without a row the defaults of the kind hold.
CREATE TABLE "notification_choices" (
    "merchant_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "app" BOOLEAN NOT NULL,
    "mail" BOOLEAN NOT NULL,
    "changed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notification_choices_pkey" PRIMARY KEY ("person_id","kind")
);

ALTER TABLE "notification_choices" ADD CONSTRAINT "notification_choices_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The hours in which a person gets no mail, as minutes of the day in the workspace's zone. From later to earlier is over midnight.
CREATE TABLE "notification_quiet_hours" (
    "merchant_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "from_minute" INTEGER NOT NULL,
    "to_minute" INTEGER NOT NULL,
    "changed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notification_quiet_hours_pkey" PRIMARY KEY ("person_id")
);

ALTER TABLE "notification_quiet_hours" ADD CONSTRAINT "notification_quiet_hours_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma has no words for --------------------------------------------------------------------------------------

ALTER TABLE "notifications"
  ADD CONSTRAINT "notifications_kind" CHECK (length(kind) BETWEEN 1 AND 40),
  ADD CONSTRAINT "notifications_thing" CHECK (length(thing) BETWEEN 1 AND 100);
ALTER TABLE "notification_choices" ADD CONSTRAINT "notification_choices_kind" CHECK (length(kind) BETWEEN 1 AND 40);
ALTER TABLE "notification_quiet_hours"
  ADD CONSTRAINT "notification_quiet_hours_minutes" CHECK (from_minute BETWEEN 0 AND 1439 AND to_minute BETWEEN 0 AND 1439 AND from_minute <> to_minute);

CREATE INDEX "notifications_unread" ON "notifications" ("merchant_id", "person_id", "at" DESC, "id" DESC) WHERE read_at IS NULL AND in_app;
CREATE INDEX "notifications_mail_due" ON "notifications" ("merchant_id", "mail_due_at") WHERE mail_due_at IS NOT NULL;
-- The worker looks for new facts every few seconds: it must not read the whole table of movements for it.
CREATE INDEX "movements_ended_badly" ON "movements" ("merchant_id", "ended_at") WHERE state IN ('REJECTED', 'FAILED');
CREATE INDEX "movements_returned" ON "movements" ("merchant_id", "returned_at") WHERE returned = 'CONFIRMED';
CREATE INDEX "movements_unknown" ON "movements" ("merchant_id", "unclear_since") WHERE state = 'UNKNOWN';
CREATE INDEX "differences_open" ON "differences" ("merchant_id", "found_at") WHERE state = 'OPEN';
CREATE INDEX "known_devices_merchant_id_created_at_idx" ON "known_devices"("merchant_id", "created_at");
CREATE INDEX "card_reminders_merchant_id_made_at_idx" ON "card_reminders"("merchant_id", "made_at");

ALTER TABLE "notifications" ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON "notifications" TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid);
-- The worker tells; a person has read it.
GRANT SELECT, UPDATE ("read_at") ON "notifications" TO dashboard_web;
GRANT SELECT, INSERT, UPDATE ("mail_due_at", "mail_tries", "mail_begun_at", "mailed_at"), DELETE ON "notifications" TO dashboard_worker;
-- No sooner than this: a row that is gone would be made again as long as its fact is new.
CREATE POLICY kept_30_days ON "notifications" AS RESTRICTIVE FOR DELETE TO dashboard_worker
  USING (at < clock_timestamp() - interval '30 days'
    AND (NOT in_app OR read_at < clock_timestamp() - interval '30 days' OR at < clock_timestamp() - interval '180 days'));

ALTER TABLE "notification_choices" ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON "notification_choices" TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ("app", "mail", "changed_at") ON "notification_choices" TO dashboard_web;
GRANT SELECT ON "notification_choices" TO dashboard_worker;

ALTER TABLE "notification_quiet_hours" ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON "notification_quiet_hours" TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ("from_minute", "to_minute", "changed_at"), DELETE ON "notification_quiet_hours" TO dashboard_web;
GRANT SELECT ON "notification_quiet_hours" TO dashboard_worker;
