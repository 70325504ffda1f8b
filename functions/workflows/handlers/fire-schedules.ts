import { firePorts } from '../../wiring/workflows/workflows.ts';
import { fireSchedules } from '../domain/triggers/fire-schedules.ts';

const ports = firePorts();

export const handler = async (): Promise<void> => {
  await fireSchedules(ports);
};
