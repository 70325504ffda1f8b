import { executable, output } from '../executables.ts';
import { COMMON, type Finder, type FindOptions } from './language.ts';

/** Whether Ruby looks for its options or its data in the file itself. */
function readsItsOwnSource(code: string): boolean {
  const lines = `\n${code}`;
  return lines.includes('\n#!') || lines.includes('\n__END__');
}

/**
 * Ruby reads its program before it loads its own libraries, which take nearly all the time: another program has to wait in
 * its place. What it adds to the backtrace of an unrescued error is taken away again.
 */
const RUBY_PRESTART = `
$0 = "main.rb"
at_exit do
  error = $!
  while error
    error.define_singleton_method(:backtrace) { super()&.reject { |line| line.start_with?("-e:") } } unless error.frozen?
    error = error.cause
  end
end
RubyVM::InstructionSequence.compile_file("main.rb").eval
`;

export function ruby(options: FindOptions): Finder {
  return {
    name: 'ruby',
    hint: 'apt-get install ruby',
    async find() {
      const program = await executable(['ruby'], options);
      if (program === null) return null;
      const [version, prefix] = (await output(program, '-e', 'puts RUBY_VERSION, RbConfig::CONFIG["prefix"]')).split(
        '\n',
      );
      if (version === undefined || prefix === undefined) return null;
      return {
        ...COMMON,
        name: 'ruby',
        version,
        file: 'main.rb',
        readable: [prefix],
        run: (_, main) => [program, '-W1', main],
        prestart: { command: () => [program, '-W1', '-e', RUBY_PRESTART], isUnfit: readsItsOwnSource },
        afterFailure: {
          check: (main) => [program, '-c', main],
          words: ['syntax error', 'SyntaxError', 'invalid multibyte'],
        },
      };
    },
  };
}
