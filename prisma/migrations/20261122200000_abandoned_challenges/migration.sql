-- The worker wipes the sealed password of a sign-in that nobody finished, within a minute after its challenge is over.
GRANT UPDATE ("password_sealed") ON "login_challenges" TO dashboard_worker;
