/** The embedded stores in a separate process, which stands in for external stores. Argument: their directory. */
import { startStores } from '../../local/embedded/stores.ts';

const { environment, stop } = await startStores(process.argv[2]!);
console.log(JSON.stringify(environment));
process.once('SIGTERM', () => void stop().then(() => process.exit(0)));
