"""The strategy tester's broker: it takes orders, fills them on bars and does the accounting."""
