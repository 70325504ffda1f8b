import type { Account } from './account.ts';
import { type AuditEntry, type AuditPorts, auditEntry, type Origin } from './audit.ts';
import { type ChangePorts, changeAccount } from './change-account.ts';
import { withThreshold } from './low-balance.ts';

export interface AlertSettings {
  /**
   * Stores threshold and alert of `changed`, and the audit entry, on the condition that the account still has the version before it.
   * @returns false when it has not.
   */
  saveAlert(changed: Account, audit: AuditEntry): Promise<boolean>;
}

export interface ThresholdPorts extends ChangePorts, AuditPorts {
  readonly settings: AlertSettings;
}

/** @param thresholdKrw null switches the low-balance e-mail off. @throws AccountBusy */
export function changeThreshold(
  workspaceId: string,
  thresholdKrw: number | null,
  origin: Origin,
  ports: ThresholdPorts,
): Promise<Account> {
  return changeAccount(workspaceId, ports, async (account) => {
    if (account.lowBalanceThresholdKrw === thresholdKrw) return account;
    const changed = withThreshold(account, thresholdKrw);
    const act = { workspaceId, action: 'balance.threshold_changed', target: null } as const;
    const audit = auditEntry({ ...act, details: { thresholdKrw } }, origin, ports);
    return (await ports.settings.saveAlert(changed, audit)) ? changed : null;
  });
}
