/** What programs for E2B look like: KEY=... node e2b-analysis.mjs */
import { Sandbox } from './e2b.mjs';

const sandbox = await Sandbox.create({ baseUrl: process.env.TRIPOD_URL });
try {
  await sandbox.files.write('/home/user/prices.csv', 'name,price\na,112\nb,30\n');
  await sandbox.runCode('import csv\nrows = list(csv.DictReader(open("prices.csv")))');
  const total = await sandbox.runCode('print(len(rows), "rows")\nsum(int(row["price"]) for row in rows)');
  console.log(total.logs.stdout.join(''), total.text);

  const failed = await sandbox.runCode('rows[5]');
  console.log(failed.error.name, failed.error.value);

  const late = await sandbox.runCode('while True: pass', { timeoutMs: 1_000 });
  console.log(late.error.name, (await sandbox.runCode('len(rows)')).text);

  await sandbox.runCode('open("report.txt", "w").write("가격 합계: 142")');
  console.log(await sandbox.files.read('/home/user/report.txt'));
} finally {
  await sandbox.kill();
}
