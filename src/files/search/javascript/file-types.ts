import { didYouMean } from '../../../core/support/near-names.js';
import { globSource } from '../glob/to-regex.js';
import { PatternError } from '../query/pattern-error.js';

/**
 * Returns a test for file names of a common type such as `ts`, as for `rg --type`. Throws a {@link PatternError} for
 * any other type.
 */
export function typeFilter(type: string): (name: string) => boolean {
  const globs = commonTypes.get(type);
  if (globs === undefined) {
    const near = didYouMean(type, commonTypes.keys());
    throw new PatternError(`unrecognized file type: ${type}.${near} A type that is not common needs ripgrep`);
  }
  const expressions = globs.map((glob) => new RegExp(globSource(glob), 's'));
  return (name) => expressions.some((expression) => expression.test(name));
}

/** Common file types of ripgrep 15 (`rg --type-list`): names, then the globs of their files. */
const fileTypes = `
c: *.[chH] *.[chH].in *.cats
cpp: *.[ChH] *.[ChH].in *.[ch]pp *.[ch]pp.in *.[ch]xx *.[ch]xx.in *.cc *.cc.in *.hh *.hh.in *.inl; cs csharp: *.cs
css: *.css *.scss; csv: *.csv; dart: *.dart; docker: *Dockerfile*; go: *.go; html: *.ejs *.htm *.html
java: *.java *.jsp *.jspx *.properties; js: *.cjs *.js *.jsx *.mjs *.vue; json: *.json *.sarif composer.lock
kotlin: *.kt *.kts; lua: *.lua
make: *.mak *.mk Makefile.* [Gg][Nn][Uu]makefile [Gg][Nn][Uu]makefile.am [Gg][Nn][Uu]makefile.in [Mm]akefile [Mm]akefile.am [Mm]akefile.in
markdown md: *.markdown *.md *.mdown *.mdwn *.mdx *.mkd *.mkdn
php: *.php *.php3 *.php4 *.php5 *.php7 *.php8 *.pht *.phtml; py python: *.py *.pyi; r: *.R *.Rmd *.Rnw *.r *.rmd *.rnw
ruby: *.gemspec *.rake *.rb *.rbw .irbrc Gemfile Rakefile config.ru; rust: *.rs
sh: *.bash *.bashrc *.csh *.cshrc *.env *.ksh *.kshrc *.sh *.tcsh *.zsh .bash_login .bash_logout .bash_profile .bashrc .cshrc .env .kshrc .login .logout .profile .tcshrc .zlogin .zlogout .zprofile .zshenv .zshrc bash_login bash_logout bash_profile bashrc profile zlogin zlogout zprofile zshenv zshrc
sql: *.psql *.sql; svelte: *.svelte *.svelte.ts; swift: *.swift; toml: *.toml Cargo.lock
ts typescript: *.cts *.mts *.ts *.tsx; txt: *.txt; vue: *.vue
xml: *.dtd *.rng *.sch *.xhtml *.xjb *.xml *.xml.dist *.xsd *.xsl *.xslt; yaml: *.yaml *.yml
`;

const commonTypes: ReadonlyMap<string, readonly string[]> = new Map(
  fileTypes
    .trim()
    .split(/; |\n/)
    .flatMap((line) => {
      const [names = '', globs = ''] = line.split(': ');
      return names.split(' ').map((name) => [name, globs.split(' ')] as const);
    }),
);
