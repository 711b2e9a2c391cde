// The tab's title says how a run stands, and so that it has ended: a watched page is often behind
// another one. Its live part carries the words.
"use strict";

{
  const END = / · [^·]*$/;

  document.addEventListener("htmx:afterSettle", () => {
    const words = document.getElementById("live")?.dataset.title;
    if (words) document.title = words + (document.title.match(END)?.[0] ?? "");
  });
}
