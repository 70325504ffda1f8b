import { fireSchedules } from '../domain/triggers/fire-schedules.ts';
import { firePorts } from '../wiring.ts';

const ports = firePorts();

export const handler = async (): Promise<void> => {
  await fireSchedules(ports);
};
