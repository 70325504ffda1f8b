import type { Account } from './account.ts';
import { type ChangePorts, changeAccount } from './change-account.ts';
import { withThreshold } from './low-balance.ts';

export interface AlertSettings {
  /**
   * Stores threshold and alert of `changed` on the condition that the account still has the version before it.
   * @returns false when it has not.
   */
  saveAlert(changed: Account): Promise<boolean>;
}

export interface ThresholdPorts extends ChangePorts {
  readonly settings: AlertSettings;
}

/** @param thresholdKrw null switches the low-balance e-mail off. @throws AccountBusy */
export function changeThreshold(
  workspaceId: string,
  thresholdKrw: number | null,
  ports: ThresholdPorts,
): Promise<Account> {
  return changeAccount(workspaceId, ports, async (account) => {
    if (account.lowBalanceThresholdKrw === thresholdKrw) return account;
    const changed = withThreshold(account, thresholdKrw);
    return (await ports.settings.saveAlert(changed)) ? changed : null;
  });
}
