-- A payout of the card balance whose outcome is unknown is weighed once by its age, although nobody is asked about it.
UPDATE "movements" SET next_at = clock_timestamp() WHERE rail = 'cashout' AND state = 'UNKNOWN' AND attention IS NULL AND next_at IS NULL;
