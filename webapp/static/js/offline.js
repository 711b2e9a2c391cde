// Shows a note while the site cannot be reached, or after the session has ended: a page that polls
// would otherwise look alive.
"use strict";

{
  const note = document.getElementById("offline");
  const signedOut = document.getElementById("signed-out");
  const say = (away) => { note.hidden = !away; };

  window.addEventListener("offline", () => say(true));
  window.addEventListener("online", () => say(false));
  document.addEventListener("htmx:sendError", () => say(true));
  document.addEventListener("htmx:timeout", () => say(true));
  document.addEventListener("htmx:afterRequest", (event) => {
    const { status } = event.detail.xhr;
    if (status) say(status >= 500);
    if (status) signedOut.hidden = status !== 401;
  });
}
