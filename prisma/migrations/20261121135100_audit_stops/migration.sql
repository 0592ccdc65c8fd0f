-- A fourth thing that turns sending off: the audit chain does not hold.
ALTER TABLE "send_switches" DROP CONSTRAINT "send_switches_cause";
ALTER TABLE "send_switches" ADD CONSTRAINT "send_switches_cause" CHECK (cause IN ('person', 'recovery', 'environment', 'audit'));
