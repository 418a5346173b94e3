const secondLevel = /^(?:ac|co|com|edu|gob|gov|go|gouv|ltd|me|mil|ne|net|nom|or|org|plc|sch)\.[a-z]{2}$/;

/** Names under which anybody can have a host, at the large hosting services. */
const hosting: ReadonlySet<string> = new Set(
  (
    'amazonaws.com appspot.com azureedge.net azurewebsites.net azurestaticapps.net blogspot.com cloudapp.net cloudfront.net deno.dev ' +
    'dyndns.org duckdns.org firebaseapp.com fly.dev github.dev github.io githubpreview.dev gitlab.io glitch.me googleusercontent.com herokuapp.com hf.space ' +
    'loca.lt netlify.app ngrok.app ngrok.io ngrok-free.app nip.io ondigitalocean.app onrender.com pages.dev pythonanywhere.com r2.dev ' +
    'railway.app readthedocs.io repl.co replit.app replit.dev run.app sharepoint.com sslip.io surge.sh supabase.co trycloudflare.com ' +
    'vercel.app web.app webflow.io windows.net wixsite.com wordpress.com workers.dev'
  ).split(' '),
);

/**
 * True for a host whose subdomains belong to strangers: `com`, `co.uk`, `github.io`. Not complete; the list of all such
 * names changes every week.
 */
export function isSharedDomain(host: string): boolean {
  const name = host.toLowerCase().replace(/\.+$/, '');
  if (name === 'localhost' || name.startsWith('[')) return false;
  return !name.includes('.') || secondLevel.test(name) || hosting.has(name);
}
