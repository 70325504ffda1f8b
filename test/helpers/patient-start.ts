import { type ServiceProcess, startServiceProcess } from './service.ts';

const TRIES = 3;

/** Starts the service on data that is there. On a machine that is busy with other tests its first check of itself may come too late. */
export async function startAgain(dataDir: string): Promise<ServiceProcess> {
  for (let attempt = 1; ; attempt++)
    try {
      return await startServiceProcess({ dataDir });
    } catch (error) {
      if (attempt === TRIES || !String(error).includes('is not healthy')) throw error;
    }
}
