import 'server-only';
import enAccount from '../../messages/en/account.json' with { type: 'json' };
import enAudit from '../../messages/en/audit.json' with { type: 'json' };
import enCardDialogs from '../../messages/en/card-dialogs.json' with { type: 'json' };
import enCardReminders from '../../messages/en/card-reminders.json' with { type: 'json' };
import enCardTools from '../../messages/en/card-tools.json' with { type: 'json' };
import enCards from '../../messages/en/cards.json' with { type: 'json' };
import enCashout from '../../messages/en/cashout.json' with { type: 'json' };
import enCharges from '../../messages/en/charges.json' with { type: 'json' };
import enCommon from '../../messages/en/common.json' with { type: 'json' };
import enDayClose from '../../messages/en/day-close.json' with { type: 'json' };
import enExports from '../../messages/en/exports.json' with { type: 'json' };
import enHome from '../../messages/en/home.json' with { type: 'json' };
import enLive from '../../messages/en/live.json' with { type: 'json' };
import enLogin from '../../messages/en/login.json' with { type: 'json' };
import enMoneyIn from '../../messages/en/money-in.json' with { type: 'json' };
import enNewPayout from '../../messages/en/new-payout.json' with { type: 'json' };
import enNewWallet from '../../messages/en/new-wallet.json' with { type: 'json' };
import enNewTransfer from '../../messages/en/new-transfer.json' with { type: 'json' };
import enPayout from '../../messages/en/payout.json' with { type: 'json' };
import enPayoutErrors from '../../messages/en/payout-errors.json' with { type: 'json' };
import enPayouts from '../../messages/en/payouts.json' with { type: 'json' };
import enReceipts from '../../messages/en/receipts.json' with { type: 'json' };
import enReconciliation from '../../messages/en/reconciliation.json' with { type: 'json' };
import enRecipients from '../../messages/en/recipients.json' with { type: 'json' };
import enRecovery from '../../messages/en/recovery.json' with { type: 'json' };
import enRecurring from '../../messages/en/recurring.json' with { type: 'json' };
import enRefusals from '../../messages/en/refusals.json' with { type: 'json' };
import enReports from '../../messages/en/reports.json' with { type: 'json' };
import enSavedCards from '../../messages/en/saved-cards.json' with { type: 'json' };
import enSearch from '../../messages/en/search.json' with { type: 'json' };
import enSecondPerson from '../../messages/en/second-person.json' with { type: 'json' };
import enSending from '../../messages/en/sending.json' with { type: 'json' };
import enSettings from '../../messages/en/settings.json' with { type: 'json' };
import enShell from '../../messages/en/shell.json' with { type: 'json' };
import enStates from '../../messages/en/states.json' with { type: 'json' };
import enTransfer from '../../messages/en/transfer.json' with { type: 'json' };
import enTransferErrors from '../../messages/en/transfer-errors.json' with { type: 'json' };
import enTransfers from '../../messages/en/transfers.json' with { type: 'json' };
import enTransactions from '../../messages/en/transactions.json' with { type: 'json' };
import enViews from '../../messages/en/views.json' with { type: 'json' };
import enWallets from '../../messages/en/wallets.json' with { type: 'json' };
import enWebhooks from '../../messages/en/webhooks.json' with { type: 'json' };
import enWithdrawals from '../../messages/en/withdrawals.json' with { type: 'json' };
import trAccount from '../../messages/tr/account.json' with { type: 'json' };
import trAudit from '../../messages/tr/audit.json' with { type: 'json' };
import trCardDialogs from '../../messages/tr/card-dialogs.json' with { type: 'json' };
import trCardReminders from '../../messages/tr/card-reminders.json' with { type: 'json' };
import trCardTools from '../../messages/tr/card-tools.json' with { type: 'json' };
import trCards from '../../messages/tr/cards.json' with { type: 'json' };
import trCashout from '../../messages/tr/cashout.json' with { type: 'json' };
import trCharges from '../../messages/tr/charges.json' with { type: 'json' };
import trCommon from '../../messages/tr/common.json' with { type: 'json' };
import trDayClose from '../../messages/tr/day-close.json' with { type: 'json' };
import trExports from '../../messages/tr/exports.json' with { type: 'json' };
import trHome from '../../messages/tr/home.json' with { type: 'json' };
import trLive from '../../messages/tr/live.json' with { type: 'json' };
import trLogin from '../../messages/tr/login.json' with { type: 'json' };
import trMoneyIn from '../../messages/tr/money-in.json' with { type: 'json' };
import trNewPayout from '../../messages/tr/new-payout.json' with { type: 'json' };
import trNewWallet from '../../messages/tr/new-wallet.json' with { type: 'json' };
import trNewTransfer from '../../messages/tr/new-transfer.json' with { type: 'json' };
import trPayout from '../../messages/tr/payout.json' with { type: 'json' };
import trPayoutErrors from '../../messages/tr/payout-errors.json' with { type: 'json' };
import trPayouts from '../../messages/tr/payouts.json' with { type: 'json' };
import trReceipts from '../../messages/tr/receipts.json' with { type: 'json' };
import trReconciliation from '../../messages/tr/reconciliation.json' with { type: 'json' };
import trRecipients from '../../messages/tr/recipients.json' with { type: 'json' };
import trRecovery from '../../messages/tr/recovery.json' with { type: 'json' };
import trRecurring from '../../messages/tr/recurring.json' with { type: 'json' };
import trRefusals from '../../messages/tr/refusals.json' with { type: 'json' };
import trReports from '../../messages/tr/reports.json' with { type: 'json' };
import trSavedCards from '../../messages/tr/saved-cards.json' with { type: 'json' };
import trSearch from '../../messages/tr/search.json' with { type: 'json' };
import trSecondPerson from '../../messages/tr/second-person.json' with { type: 'json' };
import trSending from '../../messages/tr/sending.json' with { type: 'json' };
import trSettings from '../../messages/tr/settings.json' with { type: 'json' };
import trShell from '../../messages/tr/shell.json' with { type: 'json' };
import trStates from '../../messages/tr/states.json' with { type: 'json' };
import trTransfer from '../../messages/tr/transfer.json' with { type: 'json' };
import trTransferErrors from '../../messages/tr/transfer-errors.json' with { type: 'json' };
import trTransfers from '../../messages/tr/transfers.json' with { type: 'json' };
import trTransactions from '../../messages/tr/transactions.json' with { type: 'json' };
import trViews from '../../messages/tr/views.json' with { type: 'json' };
import trWallets from '../../messages/tr/wallets.json' with { type: 'json' };
import trWebhooks from '../../messages/tr/webhooks.json' with { type: 'json' };
import trWithdrawals from '../../messages/tr/withdrawals.json' with { type: 'json' };

/**
 * One file per screen and language, and one line here for each. The tidy test fails for a key that
 * is missing in one of the two languages.
 */
export const MESSAGES = {
  tr: {
    common: trCommon,
    login: trLogin,
    payoutErrors: trPayoutErrors,
    refusals: trRefusals,
    reports: trReports,
    shell: trShell,
    states: trStates,
    live: trLive,
    payouts: trPayouts,
    payout: trPayout,
    moneyIn: trMoneyIn,
    newPayout: trNewPayout,
    transfers: trTransfers,
    transfer: trTransfer,
    newTransfer: trNewTransfer,
    transferErrors: trTransferErrors,
    newWallet: trNewWallet,
    audit: trAudit,
    cardDialogs: trCardDialogs,
    cardReminders: trCardReminders,
    cards: trCards,
    cardTools: trCardTools,
    cashout: trCashout,
    charges: trCharges,
    dayClose: trDayClose,
    exports: trExports,
    home: trHome,
    receipts: trReceipts,
    reconciliation: trReconciliation,
    recipients: trRecipients,
    recovery: trRecovery,
    recurring: trRecurring,
    savedCards: trSavedCards,
    search: trSearch,
    secondPerson: trSecondPerson,
    sending: trSending,
    settings: trSettings,
    transactions: trTransactions,
    views: trViews,
    wallets: trWallets,
    account: trAccount,
    webhooks: trWebhooks,
    withdrawals: trWithdrawals,
  },
  en: {
    common: enCommon,
    login: enLogin,
    payoutErrors: enPayoutErrors,
    refusals: enRefusals,
    reports: enReports,
    shell: enShell,
    states: enStates,
    live: enLive,
    payouts: enPayouts,
    payout: enPayout,
    moneyIn: enMoneyIn,
    newPayout: enNewPayout,
    transfers: enTransfers,
    transfer: enTransfer,
    newTransfer: enNewTransfer,
    transferErrors: enTransferErrors,
    newWallet: enNewWallet,
    audit: enAudit,
    cardDialogs: enCardDialogs,
    cardReminders: enCardReminders,
    cards: enCards,
    cardTools: enCardTools,
    cashout: enCashout,
    charges: enCharges,
    dayClose: enDayClose,
    exports: enExports,
    home: enHome,
    receipts: enReceipts,
    reconciliation: enReconciliation,
    recipients: enRecipients,
    recovery: enRecovery,
    recurring: enRecurring,
    savedCards: enSavedCards,
    search: enSearch,
    secondPerson: enSecondPerson,
    sending: enSending,
    settings: enSettings,
    transactions: enTransactions,
    views: enViews,
    wallets: enWallets,
    account: enAccount,
    webhooks: enWebhooks,
    withdrawals: enWithdrawals,
  },
};

export type Namespace = keyof (typeof MESSAGES)['tr'];
