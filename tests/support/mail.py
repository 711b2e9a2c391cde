"""A mail server that keeps what it takes, on a port of this machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.support.processes import free_port


class Mailbox:
    """The mail that the server accepted, and its answers."""

    def __init__(self) -> None:
        self.messages: list[EmailMessage] = []
        self.answers: dict[str, str] = {}
        """Replies to recipients that are not simply taken."""
        self.port = 0

    async def handle_RCPT(  # noqa: N802 - aiosmtpd looks for this name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        del server, session, options
        if address in self.answers:
            return self.answers[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        del server, session
        assert isinstance(envelope.original_content, bytes)
        message = message_from_bytes(envelope.original_content, policy=policy.default)
        assert isinstance(message, EmailMessage)
        self.messages.append(message)
        return "250 OK"


@contextmanager
def mail_server() -> Iterator[Mailbox]:
    """A server that runs until the end of the block."""
    mailbox = Mailbox()
    mailbox.port = free_port()
    server = Controller(mailbox, hostname="127.0.0.1", port=mailbox.port)
    server.start()
    try:
        yield mailbox
    finally:
        server.stop()
