/**
 * Environment variables by which a loader, an interpreter, a shell or a compiler takes in other code, files or options before the program
 * has started. Names that merely look like these, as NODE_ENV or GOOGLE_API_KEY, are a program's own.
 */
export const INTERPRETER_HOOKS: readonly string[] = [
  // The loader and the C library.
  ...[
    'AUDIT',
    'BIND_NOT',
    'BIND_NOW',
    'DEBUG',
    'DEBUG_OUTPUT',
    'DYNAMIC_WEAK',
    'HWCAP_MASK',
    'LIBRARY_PATH',
    'ORIGIN_PATH',
  ].map((name) => `LD_${name}`),
  ...['PRELOAD', 'PROFILE', 'PROFILE_OUTPUT', 'SHOW_AUXV', 'TRACE_LOADED_OBJECTS', 'VERBOSE', 'WARN'].map(
    (name) => `LD_${name}`,
  ),
  ...[
    'GLIBC_TUNABLES',
    'MALLOC_TRACE',
    'GCONV_PATH',
    'GETCONF_DIR',
    'HOSTALIASES',
    'LOCPATH',
    'NLSPATH',
    'RES_OPTIONS',
  ],
  ...['OPENSSL_CONF', 'OPENSSL_ENGINES', 'OPENSSL_MODULES'],
  // Node
  ...['NODE_OPTIONS', 'NODE_PATH', 'NODE_COMPILE_CACHE', 'NODE_DISABLE_COMPILE_CACHE', 'NODE_REPL_EXTERNAL_MODULE'],
  ...[
    'NODE_CHANNEL_FD',
    'NODE_CHANNEL_SERIALIZATION_MODE',
    'NODE_ICU_DATA',
    'NODE_REDIRECT_WARNINGS',
    'NODE_V8_COVERAGE',
  ],
  // Python
  ...['PYTHONBREAKPOINT', 'PYTHONEXECUTABLE', 'PYTHONHOME', 'PYTHONINSPECT', 'PYTHONPATH', 'PYTHONPLATLIBDIR'],
  ...['PYTHONPYCACHEPREFIX', 'PYTHONSTARTUP', 'PYTHONUSERBASE', 'PYTHON_PRESITE'],
  // Ruby
  ...[
    'RUBYOPT',
    'RUBYLIB',
    'RUBYPATH',
    'RUBYSHELL',
    'RUBYGEMS_GEMDEPS',
    'GEM_HOME',
    'GEM_PATH',
    'BUNDLER_SETUP',
    'BUNDLE_GEMFILE',
  ],
  // Go, whose compiler and linker get them too.
  ...[
    'GOROOT',
    'GOROOT_FINAL',
    'GOFLAGS',
    'GOENV',
    'GOTOOLCHAIN',
    'GOOS',
    'GOARCH',
    'GOAMD64',
    'GOARM64',
    'GOEXPERIMENT',
  ],
  ...['GODEBUG', 'GOCOMPILEDEBUG', 'GOSSAFUNC', 'GOSSAHASH', 'GOSSADIR', 'GO_EXTLINK_ENABLED', 'GO_LDSO'],
  // bash and Perl
  ...['BASH_ENV', 'BASHOPTS', 'BASH_COMPAT', 'BASH_LOADABLES_PATH', 'SHELLOPTS'],
  ...['PERL5DB', 'PERL5LIB', 'PERL5OPT', 'PERLLIB'],
];
